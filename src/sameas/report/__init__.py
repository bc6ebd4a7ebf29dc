"""Pages and charts for everything that shows itself: `html` and `svg`.

No scripts, nothing from another host; what is shown is the caller's business.
"""
