"""A program that is no referee."""

print("hello")
