"""What is asked of every page on every screen, as scripts that a page answers."""

#: By how many pixels the page is wider than the screen.
OVERFLOW = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"

#: Names on more than one line although they would fit on one.
BROKEN_NAMES = """() => [...document.querySelectorAll(".name")]
  .filter((one) => one.textContent.trim().length <= 8 && one.getClientRects().length > 1)
  .map((one) => one.textContent)"""

#: Headings that leave out a level, or a page without exactly one first heading.
HEADINGS = """() => {
  const levels = [...document.querySelectorAll("h1, h2, h3, h4")].filter((one) => one.checkVisibility())
    .map((one) => Number(one.tagName[1]));
  const jumps = levels.filter((level, place) => place > 0 && level > levels[place - 1] + 1);
  const first = levels.filter((level) => level === 1).length;
  return [...jumps.map((level) => `h${level} follows a heading two levels above`),
    ...(first === 1 ? [] : [`${first} first headings`])];
}"""

#: More than one button that is the one to press.
CHIEF_BUTTONS = """() => {
  const all = [...document.querySelectorAll("main .button--primary")];
  const found = all.filter((one) => one.checkVisibility());
  return found.length > 1 ? [`chief buttons: ${found.map((one) => one.textContent.trim()).join(" | ")}`] : [];
}"""

#: What fingers tap and is lower than one; links within a text have the text around them.
LOW_TARGETS = """() => [...document.querySelectorAll("a[href], button, input, select, textarea, summary")]
  .filter((one) => one.checkVisibility() && !one.closest(".skip-link, .visually-hidden"))
  .filter((one) => !(one.matches("a:not(.button)") && getComputedStyle(one).display === "inline"))
  // A box is ticked by its label as well.
  .map((one) => [one, (one.closest("label") ?? one.labels?.[0] ?? one).getBoundingClientRect(), one])
  .filter(([one, box]) => Math.max(box.height, one.getBoundingClientRect().height) < 43.5)
  .map(([one, box]) => `${Math.round(box.height)} px high: ${one.outerHTML.slice(0, 100)}`)"""

#: Text cut off by the box that it stands in.
CUT_OFF = """() => [...document.querySelectorAll("main *")]
  .filter((one) => one.childElementCount < 4 && one.textContent.trim() && one.checkVisibility())
  .filter((one) => getComputedStyle(one).overflowX === "hidden" && one.scrollWidth > one.clientWidth + 1)
  .filter((one) => !one.closest(".visually-hidden, thead"))
  .map((one) => `cut off: ${one.textContent.trim().slice(0, 60)}`)"""
