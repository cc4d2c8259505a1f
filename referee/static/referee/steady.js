/**
 * Keeps what is tapped under the finger. News come at any time: a note above the entry, a seat's cards on another line, a
 * badge for which the top of the page needs a second row. Whatever appears, grows or goes above, the page is scrolled by as much
 * before it is painted. Where it cannot be scrolled up so far, what became free stays empty until another pane is shown, or
 * it is scrolled out of sight.
 *
 * Knows nothing of deals. What stands still is the button pressed last, as long as it is there, else `usual(pane)`.
 */

/** So long after the last of a scroll has the finger let go of it, in milliseconds. */
const SETTLED = 150;

/**
 * `panes`: of which one is shown; `room`: an empty element above them, whose height is changed here; `watched`: what may change
 * its height above what is tapped, or with it.
 */
export function keepSteady({ panes, room, watched, usual }) {
  let pressed = null;
  let known = null;
  let empty = 0;
  let resized = false;
  let timer = 0;

  const paneShown = () => panes.find((pane) => !pane.hidden) ?? null;
  const topOf = (one) => one.getBoundingClientRect().top + scrollY;
  const isThere = (one) => Boolean(one?.isConnected && one.checkVisibility());

  /** The page never ends above the lower edge of the screen: a browser scrolls one that does by itself. */
  function keepLong(bottom = scrollY + innerHeight) {
    document.body.style.minHeight = bottom > innerHeight ? `${Math.ceil(bottom)}px` : "";
  }

  function note() {
    keepLong();
    const pane = paneShown();
    known = pane && { pane, pressed: isThere(pressed) ? topOf(pressed) : null, usual: topOf(usual(pane)) };
  }

  function keepEmpty(height) {
    empty = height;
    room.style.height = height ? `${height}px` : "";
  }

  function hold() {
    const pane = paneShown();
    if (!known || pane !== known.pane || resized) {
      if (pane !== known?.pane) {
        pressed = null;
        keepEmpty(0);
      }
      note();
      return;
    }
    const moved = known.pressed !== null && isThere(pressed) ? topOf(pressed) - known.pressed : topOf(usual(pane)) - known.usual;
    if (Math.abs(moved) >= 0.5) {
      take(moved);
    }
    note();
  }

  function take(moved) {
    if (moved < 0) {
      const up = Math.min(scrollY, -moved);
      keepEmpty(empty - moved - up);
      scrollBy({ top: -up, behavior: "instant" });
      return;
    }
    const filled = Math.min(empty, moved);
    keepEmpty(empty - filled);
    const target = scrollY + moved - filled;
    keepLong(target + innerHeight);
    scrollTo({ top: target, behavior: "instant" });
  }

  /** What is empty above the upper edge of the screen is given back: nothing that is seen moves. */
  function giveBack() {
    // What has moved since it was last looked at is put back first, or it would be taken as it is now.
    hold();
    const hidden = Math.min(empty, -room.getBoundingClientRect().top);
    if (hidden > 0) {
      keepEmpty(empty - hidden);
      scrollBy({ top: -hidden, behavior: "instant" });
      note();
    }
  }

  addEventListener("scroll", () => (clearTimeout(timer), (timer = setTimeout(giveBack, SETTLED))), { passive: true });
  addEventListener("resize", () => {
    resized = true;
    // Not before the sizes that follow from it have been told.
    requestAnimationFrame(() => requestAnimationFrame(() => ((resized = false), note())));
  });
  document.addEventListener(
    "pointerdown",
    ({ target }) => {
      const button = target.closest("button, summary, input, label");
      // What sticks to an edge of the screen moves with nothing.
      pressed = button && paneShown()?.contains(button) && !button.closest(".submit-bar") ? button : null;
      note();
    },
    { capture: true, passive: true },
  );
  document.fonts.ready.then(() => {
    const observer = new ResizeObserver(hold);
    watched.forEach((one) => observer.observe(one));
    note();
  });
}
