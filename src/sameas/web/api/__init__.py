"""The JSON API under `/v1`, one file a subject; answers are those of the commands' `--json`."""
