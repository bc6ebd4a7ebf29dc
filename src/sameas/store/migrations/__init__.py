"""The steps by which a store came to have the tables it has, run by Alembic on our connection."""
