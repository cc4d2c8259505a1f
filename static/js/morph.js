// Makes one part of a page like another, touching only what differs: scroll positions, focus, opened <details> and typed
// text belong to elements, and elements that stay keep them.

/** What the reader has done to an element is the reader's: it is not taken back. */
const READERS = new Set(["open"]);

/** The child of `parent` that `wanted` continues: of the same id, or else the next one of its kind without an id. */
function counterpart(parent, cursor, wanted) {
  if (wanted.id) {
    return [...parent.children].find((one) => one.id === wanted.id && one.nodeName === wanted.nodeName) ?? null;
  }
  for (let node = cursor; node; node = node.nextSibling) {
    if (node.nodeName === wanted.nodeName && !node.id) {
      return node;
    }
    if (node.id) {
      return null; // it may still be wanted further down
    }
  }
  return null;
}

function likenAttributes(from, to) {
  for (const { name } of [...from.attributes]) {
    if (!to.hasAttribute(name) && !READERS.has(name)) {
      from.removeAttribute(name);
    }
  }
  for (const { name, value } of to.attributes) {
    if (from.getAttribute(name) !== value && !READERS.has(name)) {
      from.setAttribute(name, value);
    }
  }
}

/** Makes the element `from` like `to`, an element of the same kind in another document. */
export function morph(from, to) {
  likenAttributes(from, to);
  let cursor = from.firstChild;
  for (const wanted of [...to.childNodes]) {
    const found = counterpart(from, cursor, wanted);
    if (!found) {
      from.insertBefore(document.importNode(wanted, true), cursor);
      continue;
    }
    if (found === cursor) {
      cursor = cursor.nextSibling;
    } else {
      from.insertBefore(found, cursor);
    }
    if (found.isEqualNode(wanted)) {
      continue;
    }
    if (found.nodeType === Node.ELEMENT_NODE) {
      morph(found, wanted);
    } else {
      found.nodeValue = wanted.nodeValue;
    }
  }
  while (cursor) {
    const next = cursor.nextSibling;
    cursor.remove();
    cursor = next;
  }
}
