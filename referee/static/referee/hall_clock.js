/**
 * The clock of a timed round on the tablet: whether time is up, and which deals may still be begun. Says what
 * referee/queries/timing.py says, as far as that can be known here; the server decides.
 *
 * The server's clock counts. The tablet's may be wrong, but not the time that passes on it: each answer is kept with the
 * tablet's clock when it came (`got`), through reloads too.
 */

/** This tablet's clock, in seconds since 1970. */
export const tabletTime = () => Date.now() / 1000;

/** The table as the server has just told it. */
export const heardNow = (told) => ({ ...told, got: tabletTime() });

/** The server's clock when the tablet's shows `seconds`. */
const serverTime = ({ at, got }, seconds) => at + Math.max(0, seconds - got);

/**
 * `served.time` as it is `now` (the tablet's clock); null where no clock was started.
 *
 * `lines`: all deals, as {number, state, begun}, `begun` the tablet's clock when one was entered that the server does not have.
 * Gives what the server told, and {up, wait: seconds until time is up, left: how many new deals may be begun (null: no end in
 * sight), last: the number of the last of them (null: none), unsent: how many the server does not have}.
 */
export function timeNow(served, lines, now) {
  const { time } = served;
  if (!time) {
    return null;
  }
  const wait = time.ends - serverTime(served, now);
  const up = time.up || wait <= 0;
  const counting = lines.filter((line) => line.state !== "withdrawn");
  const unsent = counting.filter((line) => line.begun !== undefined);
  const late = unsent.filter((line) => serverTime(served, line.begun) >= time.ends);
  const left = up ? Math.max(time.left - late.length, 0) : null;
  return { ...time, up, wait, left, last: left ? lastOf(counting, left) : null, unsent: unsent.length };
}

/** The last of so many numbers that follow, gaps first. */
function lastOf(lines, left) {
  const begun = new Set(lines.map((line) => line.number));
  let number = 0;
  for (let free = 0; free < left; ) {
    number += 1;
    free += begun.has(number) ? 0 : 1;
  }
  return number;
}
