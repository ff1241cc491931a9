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
  const numbers = labels.filter(label => /^\d+$/.test(label.text)).sort((a, b) => a.y - b.y);
  // A row of hexagons begins half a cell further left or right than the one above it, and so do its columns.
  const lean = numbers.length > 1 ? numbers[1].x - numbers[0].x : 0;
  const isLeaning = board.querySelector('td[colspan="2"]') !== null; // only hexagons are two columns wide
  const ranks = isLeaning ? numbers : numbers.filter(label => Math.abs(label.x - left) < 6);
  const lowest = Math.max(...labels.filter(label => files.some(f => f.text === label.text)).map(label => label.y));
  return [...board.querySelectorAll('a[href^="mailto:"]')]
    .map(a => ({ href: a.href, ...middle(a.getBoundingClientRect()) }))
    .filter(place => place.y < lowest) // others are in what stands beside the board
    .map(place => [(file(place) + nearest(ranks, place, 'y')).toLowerCase(), place.href]);

  function middle(box) { return { x: box.left + box.width / 2, y: box.top + box.height / 2 } }
  function file(place) {
    if (!isLeaning) return nearest(files, place, 'x');
    const row = ranks.findIndex(label => label.text === nearest(ranks, place, 'y'));
    const pitch = (files.at(-1).x - files[0].x) / (files.length - 1);
    const column = Math.round((place.x - row * lean - files[0].x) / pitch);
    return String.fromCharCode(files[0].text.charCodeAt(0) + column); // the letters go on at the end of the rows
  }
  // In the middle between two labels, as a line of Dots and Boxes is, the first one counts.
  function nearest(labels, place, axis) {
    return labels.reduce((a, b) => Math.abs(a[axis] - place[axis]) <= Math.abs(b[axis] - place[axis]) + 6 ? a : b).text;
  }
})()
