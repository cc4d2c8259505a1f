/**
 * Talking to the server: every command has an id of its own, so that sending it again changes nothing.
 *
 * Knows nothing of deals or of the page.
 */

/** The server could not be reached, or could not answer: what was sent may or may not have arrived. Send it again. */
export class NotSent extends Error {}

/** The server refused. `errors`: [{code, card, seat, message}]; `data`: the whole answer. */
export class Refusal extends Error {
  constructor(status, data) {
    super(data?.errors?.map((error) => error.message).join(" ") ?? `HTTP ${status}`);
    this.status = status;
    this.data = data;
    this.errors = data?.errors ?? [];
  }
}

const PATIENCE = 15000;

/** A random UUID. crypto.randomUUID is missing in halls without HTTPS, getRandomValues is there. */
export function newId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}

/** The token of the browser's cookie: logging in changes it, and a page kept for weeks holds an old one. */
export function csrfToken() {
  return /(?:^|; )csrftoken=([^;]+)/.exec(document.cookie)?.[1] ?? null;
}

/**
 * Sends a body, or asks where there is none. Gives the answer's JSON. `unsent`: how many entries wait here.
 * Throws NotSent where there is no answer to rely on, Refusal where the server said no.
 */
export async function request(path, { body, token, signal, unsent } = {}) {
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), PATIENCE);
  signal?.addEventListener("abort", () => stop.abort());
  let response;
  try {
    response = await fetch(path, {
      method: body === undefined ? "GET" : "POST",
      headers: {
        Accept: "application/json",
        ...(unsent === undefined ? {} : { "X-Unsent": String(unsent) }),
        ...(body === undefined ? {} : { "Content-Type": "application/json", "X-CSRFToken": token }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
      credentials: "same-origin",
      redirect: "error",
      cache: "no-store",
      signal: stop.signal,
    });
  } catch (fault) {
    if (signal?.aborted) {
      throw fault;
    }
    throw new NotSent(fault.message);
  } finally {
    clearTimeout(timer);
  }
  if (response.status >= 500 || response.status === 429) {
    throw new NotSent(`HTTP ${response.status}`);
  }
  let data;
  try {
    data = await response.json();
  } catch {
    throw new NotSent(`HTTP ${response.status}, no JSON`);
  }
  if (!response.ok) {
    throw new Refusal(response.status, data);
  }
  return data;
}
