"""Mail in and letters out, as bytes: nothing here knows of the database."""
