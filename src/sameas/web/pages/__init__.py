"""The pages, one file each. They work without scripts, and better with ours."""
