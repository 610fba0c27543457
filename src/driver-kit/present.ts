/** The facts that are known: every value but undefined. */
export type Present<Facts> = { readonly [Key in keyof Facts]?: Exclude<Facts[Key], undefined> };

/** Leaves out what is undefined, as the optional fields of a report want it. */
export function present<Facts extends object>(facts: Facts): Present<Facts> {
  return Object.fromEntries(
    Object.entries(facts).filter(([, value]) => value !== undefined),
  ) as Present<Facts>;
}
