"""English of no single country."""
