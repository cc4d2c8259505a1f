// Where the tabs do not all fit, the current one is brought into sight. Without this they can be scrolled by hand.
for (const current of document.querySelectorAll(".tabs [aria-current], .tabs [aria-selected='true']")) {
  const strip = current.closest(".tabs");
  strip.scrollLeft = current.offsetLeft - strip.offsetLeft - (strip.clientWidth - current.offsetWidth) / 2;
}
