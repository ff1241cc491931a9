"""Alembic's entry point. The connection comes from pbmserv.db.migrate; each migration is one transaction."""

from alembic import context

from pbmserv.db.tables import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    render_as_batch=True,  # SQLite cannot alter columns in place
    transaction_per_migration=True,
)
with context.begin_transaction():
    context.run_migrations()
