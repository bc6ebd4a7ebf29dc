"""A folder of links checked: what is wrong with each, and what to write instead.

`check` is the run. What a person has to decide goes to `sameas.review`.
"""
