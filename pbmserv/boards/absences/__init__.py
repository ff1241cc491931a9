"""Who or what is away: players on vacation and those who have left, games, and the server itself."""
