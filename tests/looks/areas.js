// The areas of the image of a board: the name of each, its URI, and the URI of what is touched in its middle.
[...document.querySelectorAll('map area')].map(area => {
  const image = document.querySelector('img[usemap]').getBoundingClientRect();
  const numbers = area.coords.split(',').map(Number);
  const middle = first => {
    const along = numbers.filter((_, i) => i % 2 === first);
    return (Math.min(...along) + Math.max(...along)) / 2;
  };
  const hit = document.elementFromPoint(image.left + middle(0), image.top + middle(1));
  return [area.alt, area.href, hit && hit.href];
})
