"""Processes of the arena: programs and Python bots, worker processes, and the reaper of what they leave behind."""
