"""The organiser's pages: each view translates HTTP, the services and queries do the work."""
