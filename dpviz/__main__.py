"""`python -m dpviz`: the command `dpviz`, where it is not installed."""

from dpviz.command import main

if __name__ == "__main__":
    main()
