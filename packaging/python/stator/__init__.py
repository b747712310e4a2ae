"""Stator, a database that speaks the DynamoDB protocol: the program, and servers of one's own for tests."""

from .program import program
from .server import Server, StartFailed

__all__ = ["Server", "StartFailed", "program"]
