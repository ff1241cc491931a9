"""Who meets whom in tournaments, and who stands where: pure functions, without SQL, mail and clock."""
