/**
 * What becomes of an entry that met a later version at the server, once a person has seen both.
 *
 * Knows commands and the order in which they wait; shows nothing itself.
 */

/** Where a command says which version it builds on; a log of tricks says none. */
const versionField = (entry) => ["based_on", "version"].find((name) => name in entry.body);

function sameDeal(one, other) {
  const dealOf = (entry) => /^(.*\/deals\/\d+\/)/.exec(entry.path)?.[1];
  return one.table === other.table && dealOf(one) === dealOf(other);
}

/**
 * Asks which version is right and acts on the answer; what waits for the same deal follows the entry.
 *
 * `ask(current, mayReplace)` answers "mine", "theirs" or nothing; `shown(number)` is called once it is decided, with the deal's
 * number.
 */
export async function settleConflict(entry, { sending, ask, shown }) {
  const { current } = entry.data;
  const mayReplace = current.state !== "checked" || /\/correct\/$/.test(entry.path);
  const choice = await ask(current, mayReplace);
  const followers = sending.waiting().filter((one) => one.seq > entry.seq && sameDeal(one, entry));
  if (choice === "mine") {
    const shift = current.version - entry.body[versionField(entry)];
    for (const one of [entry, ...followers]) {
      const { command_id: _id, ...body } = one.body;
      const field = versionField(one);
      if (field) {
        await sending.replace(one, { ...body, [field]: body[field] + shift });
      }
    }
    shown(current.number);
    sending.send();
  } else if (choice === "theirs") {
    for (const one of [...followers.reverse(), entry]) {
      await sending.setAside(one);
    }
    shown(current.number);
    sending.send();
  }
}
