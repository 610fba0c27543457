export const CRIMES = [
  'double_charges',
  'lost_outcomes',
  'wrong_amounts',
  'unreported',
  'overlaps',
  'stuck',
  /** Any other rule of payments.md. */
  'broken_rules',
] as const;
export type Crime = (typeof CRIMES)[number];

/** A rule was broken, as the judge saw it. */
export interface Accusation {
  readonly crime: Crime;
  readonly text: string;
  readonly atMs: number;
}

/**
 * Findings that are reported and not mended yet: they are printed with every run and are no failure.
 * A row goes when its cause is gone.
 */
const KNOWN: readonly { readonly crime: Crime; readonly text: RegExp; readonly why: string }[] = [
  {
    crime: 'broken_rules',
    text: /was acknowledged unheard while it was (?:accepted|cancelling|dispatched)$/,
    why: 'seed 61: an answer too many: a packet that the terminal repeats (our ACK was spoilt), or that it gave up waiting for (T3), is answered late, and that answer acknowledges its next packet, the approval, before we have it',
  },
];

/** Why this accusation is expected; undefined when it is news. */
export function isKnown({ crime, text }: Accusation): string | undefined {
  return KNOWN.find((one) => one.crime === crime && one.text.test(text))?.why;
}
