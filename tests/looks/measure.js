// What is wrong with a page in this window, as a list of sentences.
(() => {
  const EDGE = 0.6; // pixels that browsers round away
  const SMALLEST = 11, LOWEST = 32, TARGET = 24, CONTRAST = 4.5;
  const OUTLINE = 'a:not(.region):has(> [pointer-events]), a:not(.region) > [pointer-events]'; // touched, but not seen
  const faults = [];
  const say = (what, element) => faults.push(`${what}: ${shown(element)}`);
  const shown = e => e.outerHTML.replace(/\s+/g, ' ').replace(/ style="[^"]*"/g, '').slice(0, 120);
  const round = x => Math.round(x * 10) / 10;
  // What is folded away is not there; in a window as wide as it, it would scroll.
  const there = (e, box) => !e.closest('details:not([open]) > :not(summary)') && box.width > 1 && box.height > 1 && getComputedStyle(e).visibility === 'visible'
    && box.right > 0; // what is out to the left comes in with the focus, such as the link to skip to the page

  const root = document.documentElement;
  if (root.scrollWidth > innerWidth) faults.push(`The page is ${root.scrollWidth} px wide.`);
  const all = [...document.body.querySelectorAll('*')];
  for (const e of all) {
    const box = e.getBoundingClientRect(), style = getComputedStyle(e);
    if (!there(e, box) || e.matches(OUTLINE)) continue;
    if (box.right > innerWidth + EDGE || box.left < -EDGE) say(`from ${round(box.left)} to ${round(box.right)} px`, e);
    // A drawing cuts what is outside of it, whatever its style says; its parts are measured one by one.
    const frame = e.ownerSVGElement && e.ownerSVGElement.getBoundingClientRect();
    if (frame && (box.right > frame.right + EDGE || box.bottom > frame.bottom + EDGE || box.left < frame.left - EDGE
        || box.top < frame.top - EDGE)) say('outside of its drawing', e);
    if (/^T[DH]$/.test(e.tagName) && e.scrollWidth > e.clientWidth + 1) say('spills out of its cell', e);
    if (e.tagName === 'text') spilled(e, box);
    if (!e.ownerSVGElement && style.overflowX !== 'visible' && e.scrollWidth > e.clientWidth + 1)
      say(`hides ${e.scrollWidth - e.clientWidth} px`, e);
  }

  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const e = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || !there(e, e.getBoundingClientRect())) continue;
    if (e.closest('title, desc, style, script')) continue;
    const matrix = e.getScreenCTM && e.getScreenCTM();
    const scale = matrix ? Math.sqrt(Math.abs(matrix.a * matrix.d - matrix.b * matrix.c)) : 1;
    const size = parseFloat(getComputedStyle(e).fontSize) * scale;
    if (size < SMALLEST - 0.05) say(`text of ${round(size)} px`, e);
    if (e.ownerSVGElement) contrast(e);
  }

  const links = [...document.querySelectorAll('a[href]')].filter(a => a.checkVisibility());
  const reach = new Map(); // a cell can have an outline for touches
  for (const a of links) reach.set(place(a), widest(a.getBoundingClientRect(), reach.get(place(a))));
  for (const a of links) {
    const box = a.ownerSVGElement ? reach.get(place(a)) : a.getBoundingClientRect();
    if (!there(a, box) || inSentence(a)) continue;
    const hit = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
    if (hit && hit.closest('a.region') && !a.classList.contains('region')) continue; // it is touched when it is enlarged
    // The least that WCAG 2.2 allows (2.5.8) is enough for the cells of a board, but not for a line of text.
    const lowest = a.ownerSVGElement ? TARGET : LOWEST;
    if (box.height < lowest - EDGE) say(`${round(box.height)} px high`, a);
    if (a.ownerSVGElement && box.width < TARGET - EDGE) say(`${round(box.width)} px wide`, a);
    if (hit && !a.contains(hit) && !hit.contains(a) && place(hit.closest('a')) !== place(a)) say('something lies upon it', a);
  }
  return faults;

  function place(a) { return a && (a.href.baseVal ?? a.href) }
  function widest(box, other) { return other && other.width * other.height > box.width * box.height ? other : box }

  // A cell is a group with a place; its ground is painted first. What is around the board is in none.
  function spilled(text, box) {
    const ground = text.parentElement.closest('g[transform], a')?.querySelector('path, rect, polygon');
    const cell = ground && ground.getBoundingClientRect();
    if (cell && (box.left < cell.left - 1.5 || box.right > cell.right + 1.5)) say('spills out of its cell', text);
  }

  // WCAG 2.2, 2.5.8: a link in a sentence has the height of its line.
  function inSentence(a) {
    const words = (n, ...not) => [...n.childNodes].filter(c => !not.includes(c)).map(c => c.textContent).join('').trim();
    const around = a.closest('p, li, dd, td, div, nav');
    return around && around.tagName !== 'NAV' && getComputedStyle(a).display === 'inline'
      && [...around.childNodes].some(c => c.nodeType === 3 && /\p{L}{2}/u.test(c.data)) && words(around, a) !== '';
  }

  // axe does not look at text in drawings: here it is compared with the shape on which it stands.
  function contrast(text) {
    const box = text.getBoundingClientRect();
    const under = document.elementsFromPoint(box.left + box.width / 2, box.top + box.height / 2);
    const svg = text.ownerSVGElement;
    const shape = under.filter(e => e !== text && svg.contains(e) && !e.contains(text) && !/^(text|tspan|a|g|svg)$/.test(e.tagName))
      .map(body).find(e => opaque(getComputedStyle(e).fill));
    const ground = shape ? getComputedStyle(shape).fill : behind(svg);
    const [a, b] = [getComputedStyle(text).fill, ground].map(light).sort((x, y) => y - x);
    const ratio = (a + 0.05) / (b + 0.05);
    if (ratio < CONTRAST) say(`contrast ${round(ratio)} on ${ground}`, text);
  }
  // The part of a shared drawing on which its text stands: the face of a card or cube is its last, a body the first.
  function body(e) {
    if (e.tagName !== 'use') return e;
    const shapes = [...e.ownerSVGElement.querySelector(e.getAttribute('href')).querySelectorAll(':not(g)')];
    return /^#(card|cube)-/.test(e.getAttribute('href')) ? shapes.at(-1) : shapes[0];
  }
  function opaque(colour) { const p = parts(colour); return p.length === 3 || p[3] > 0 }
  function parts(colour) { return (colour.match(/[\d.]+/g) || []).map(Number) }
  function behind(e) {
    for (; e; e = e.parentElement) { const c = getComputedStyle(e).backgroundColor; if (opaque(c)) return c }
    return 'rgb(255, 255, 255)';
  }
  // The relative luminance of WCAG 2.2.
  function light(colour) {
    return parts(colour).slice(0, 3).map(x => x / 255).map(x => x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4)
      .reduce((sum, x, i) => sum + x * [0.2126, 0.7152, 0.0722][i], 0);
  }
})()
