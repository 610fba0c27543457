/** Also without dashes, as a trace has it. */
const ID = /\b[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}\b/gi;

/**
 * A text of tilld, of a provider or of the service, for people: the name of a terminal in the place of its id, other ids by their last four
 * characters.
 * @param {string} text
 * @param {readonly { readonly id: string, readonly name: string }[]} named
 */
export function withoutIds(text, named) {
  return text.replace(
    ID,
    (id) => named.find((one) => one.id === id.toLowerCase())?.name ?? `…${id.slice(-4)}`,
  );
}
