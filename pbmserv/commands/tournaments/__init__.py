"""What players and organisers write about tournaments."""
