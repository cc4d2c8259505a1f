"""What is asked of every page on every screen, as scripts that a page answers."""

#: By how many pixels the page is wider than the screen.
OVERFLOW = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"

#: Names on more than one line although they would fit on one.
BROKEN_NAMES = """() => [...document.querySelectorAll(".name")]
  .filter((one) => one.textContent.trim().length <= 8 && one.getClientRects().length > 1)
  .map((one) => one.textContent)"""
