"""The guarded HTTP client: who may be reached, how politely, how much is taken.

What is asked for and what an answer means is for feeds and for link resolution to decide.
"""
