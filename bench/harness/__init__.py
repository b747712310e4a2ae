"""The parts of bench/run. Standard library only."""
