"""The service: a JSON API for programs and pages for people, both over what the other rooms decide.

Nothing about identity, reviews or feeds is decided here.
"""
