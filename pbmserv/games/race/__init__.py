"""Games of racing, chasing and luck."""
