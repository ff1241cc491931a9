"""What pictures look like in letters and on web pages, and how players move by touching them."""
