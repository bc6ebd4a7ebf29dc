"""Programs that a contributor runs: what is generated, and what tests and benchmarks need."""
