"""Where links really lead: asked, followed, judged, each result with its evidence.

What is the same as what stays the policy's business; what to do about a bad link is a person's.
"""
