"""The database: its tables, connections and statements, the same on SQLite and on PostgreSQL."""
