"""Times that count for nobody, in the database: absences of the server, of games and of players."""
