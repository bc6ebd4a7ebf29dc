"""Adapters: sameas in the words of other libraries, one short file for each.

What a URL gives is the policy's business; each asks for its library where it is imported.
"""
