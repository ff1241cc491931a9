"""What pictures are made of: paths, letters and drawings of templates/pieces, and what a cell looks like."""
