"""Pages: the store in a browser on this machine. JSON first, pages on top of it; see docs/web.md."""
