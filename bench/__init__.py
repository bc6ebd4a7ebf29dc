"""`python -m bench`: our policies and the libraries a user would otherwise pick, in one run.

It measures and writes a page; what a policy does is decided elsewhere.
"""
