/** Identifiers and randomness as a port; the simulation seeds it. */
export interface Ids {
  /** A new UUID v7: sorts by creation time. */
  uuid(): string;
  /** UUID v5 of `name` in the namespace of another UUID: the same name always gives the same id. */
  nameBased(namespace: string, name: string): string;
  /** A number in [0, 1), for jitter. */
  random(): number;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

/** True for any RFC 9562 UUID in its usual text form. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}

const UUID_FORM = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * The canonical form in which an id is stored, compared and sent: without white space around it; a UUID of any version in lower case.
 * Every interface that takes an id calls this once, because the same UUID in other letters is the same invoice, payment or device. An id that
 * is no UUID keeps its letters: upper and lower case may differ there.
 */
export function canonicalId(id: string): string {
  const text = id.trim();
  return UUID_FORM.test(text) ? text.toLowerCase() : text;
}
