"""`python -m sameas`: the command line, where the program itself is not on the path."""

from sameas.cli import main

if __name__ == "__main__":
    main()
