"""Records: the files people keep links in, read a row at a time.

`read.reading` is the door. What a value means is the caller's business.
"""
