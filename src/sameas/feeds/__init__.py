"""Feeds: asked politely, read as they are, each entry new exactly once.

`sync.sync` is the run; fetching, parsing, identity and recording are steps that stand alone.
"""
