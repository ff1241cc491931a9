"""What letters and web pages look like, in a real browser: `make screenshots` shows what these tests measure."""
