"""A change of the rules: what it does to real data, and how what is stored comes through it.

What a rule does is the policy's business; a change is judged here before anybody lives with it.
"""
