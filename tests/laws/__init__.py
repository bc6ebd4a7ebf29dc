"""One Hypothesis profile for the laws: the same examples in every run, no clock involved.

`LAWS=10` in the environment looks for ten times as many, and for new ones.
"""

import os

from hypothesis import HealthCheck, settings

_more = int(os.environ.get("LAWS", "1"))
settings.register_profile(
    "laws",
    max_examples=120 * _more,
    derandomize=_more == 1,
    database=None,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    print_blob=True,
)
settings.load_profile("laws")
