// The links on a board, each with the square where it is seen: from the labels above and on the left of the board.
(() => {
  const board = document.querySelector('.picture table');
  if (!board) return [];
  const labels = [];
  const walker = document.createTreeWalker(board, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode.data.trim();
    if (!/^([A-Z]|\d+)$/.test(text) || walker.currentNode.parentElement.closest('a')) continue;
    const range = document.createRange();
    range.selectNode(walker.currentNode);
    labels.push({ text, ...middle(range.getBoundingClientRect()) });
  }
  const [top, left] = ['y', 'x'].map(axis => Math.min(...labels.map(label => label[axis])));
  const files = labels.filter(label => Math.abs(label.y - top) < 4);
  const ranks = labels.filter(label => Math.abs(label.x - left) < 6 && /^\d+$/.test(label.text));
  const lowest = Math.max(...labels.filter(label => files.some(f => f.text === label.text)).map(label => label.y));
  return [...board.querySelectorAll('a[href^="mailto:"]')]
    .map(a => ({ href: a.href, ...middle(a.getBoundingClientRect()) }))
    .filter(place => place.y < lowest) // others are in what stands beside the board
    .map(place => [(nearest(files, place, 'x') + nearest(ranks, place, 'y')).toLowerCase(), place.href]);

  function middle(box) { return { x: box.left + box.width / 2, y: box.top + box.height / 2 } }
  function nearest(labels, place, axis) {
    return labels.reduce((a, b) => Math.abs(a[axis] - place[axis]) <= Math.abs(b[axis] - place[axis]) ? a : b).text;
  }
})()
