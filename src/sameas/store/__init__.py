"""Where feeds and entries are kept: SQLite, PostgreSQL, or memory, behind one Protocol.

It decides nothing about what is the same; that comes to it as keys.
"""
