/**
 * The service worker of the table page: keeps the page and its files, so that they open without network. It never
 * holds, sends or drops an entry, nor the table's state: those are the page's (outbox.js, store.js).
 *
 * Served by a view that puts VERSION (of the files) and FILES (their addresses) before it.
 *
 * Caches: one of files for each version, one of pages for each version. A new version is installed only once all its
 * files and the pages kept so far have been fetched anew, so that a page never lacks a file it names; until then, and where
 * that fails, the former version goes on.
 */

const FILE_CACHE = `table-files-${VERSION}`;
const PAGE_CACHE = `table-pages-${VERSION}`;
const PAGE = /^\/referee\/table\/\d+\/$/;
const PATIENCE = 4000;

addEventListener("install", (event) => event.waitUntil(install()));

addEventListener("activate", (event) => event.waitUntil(activate()));

addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  if (event.request.method !== "GET" || url.origin !== location.origin) {
    return;
  }
  if (event.request.mode === "navigate" && (PAGE.test(url.pathname) || url.pathname === "/referee/tablet/")) {
    event.respondWith(page(event.request, url));
  } else if (FILES.includes(url.pathname)) {
    event.respondWith(file(event.request));
  }
});

async function install() {
  const files = await caches.open(FILE_CACHE);
  await files.addAll(FILES);
  const pages = await caches.open(PAGE_CACHE);
  for (const path of await knownPages()) {
    const answer = await fetch(path, { credentials: "same-origin" });
    // A page of a table that is no longer this tablet's is not kept.
    if (answer.ok && !answer.redirected) {
      await pages.put(path, answer);
    }
  }
  await skipWaiting();
}

/** Pages kept by former versions, and those open now. */
async function knownPages() {
  const paths = new Set();
  for (const name of await caches.keys()) {
    if (name.startsWith("table-pages-")) {
      for (const request of await (await caches.open(name)).keys()) {
        paths.add(new URL(request.url).pathname);
      }
    }
  }
  for (const client of await clients.matchAll({ includeUncontrolled: true, type: "window" })) {
    paths.add(new URL(client.url).pathname);
  }
  return [...paths].filter((path) => PAGE.test(path));
}

async function activate() {
  for (const name of await caches.keys()) {
    if (name.startsWith("table-") && name !== FILE_CACHE && name !== PAGE_CACHE) {
      await caches.delete(name);
    }
  }
  await clients.claim();
}

/** The network's page, or the kept one. The tablet's start page leads to the table kept last. */
async function page(request, url) {
  const pages = await caches.open(PAGE_CACHE);
  try {
    const answer = await fetchInTime(request);
    if (answer.ok && PAGE.test(url.pathname) && !answer.redirected) {
      await pages.put(url.pathname, answer.clone());
    }
    if (answer.status < 500) {
      return answer;
    }
  } catch {
    // No network: below.
  }
  const kept = await pages.match(url.pathname);
  if (kept) {
    return kept;
  }
  const others = (await pages.keys()).map((one) => new URL(one.url).pathname).filter((path) => PAGE.test(path));
  return url.pathname === "/referee/tablet/" && others.length ? Response.redirect(others.at(-1)) : Response.error();
}

async function file(request) {
  return (await caches.match(request, { cacheName: FILE_CACHE })) ?? fetch(request);
}

async function fetchInTime(request) {
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), PATIENCE);
  try {
    return await fetch(request, { signal: stop.signal });
  } finally {
    clearTimeout(timer);
  }
}
