"""Pictures as pixels: sprites in few colours, and a PNG of them."""
