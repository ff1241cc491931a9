"""What one process of a server knows of the others: its children, who else sends, and systemd."""
