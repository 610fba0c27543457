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
    crime: 'unreported',
    text: /was made again at a service that ignores our id and had forgotten its key$/,
    why: 'month-offline 3: the answer to a create is lost for over 24 h at a service that ignores our id: the look-up by our id says 404, and the create is sent again (the echo in its list would tell the id)',
  },
  {
    crime: 'broken_rules',
    text: /was acknowledged unheard while it was (?:accepted|cancelling|dispatched|in_doubt)$/,
    why: 'seed 61: an answer too many: a packet that the terminal repeats (our ACK was spoilt), or that it gave up waiting for (T3), is answered late, and that answer acknowledges its next packet, the approval, before we have it',
  },
  {
    crime: 'lost_outcomes',
    text: /and was never corrected(?:, and staff used it over that)?, it looks idle in the middle of a dialogue$/,
    why: 'seed 10985: a terminal that looks idle in the middle of its dialogue shows an approval that recovery believes at once, and takes it back later; once another attempt was begun in between, its mark hides that (custody looks at the newest attempt alone)',
  },
  {
    crime: 'double_charges',
    text: /gave back of nothing that was charged, of a sale that its terminal has taken back unseen$/,
    why: 'seed 15273: what follows from seed 10985, when the sale is refunded',
  },
  {
    crime: 'lost_outcomes',
    text: /and has forgotten it at a close of its own$/,
    why: 'hands 14: an empty terminal, charged and closed by hand before recovery reads it, is empty again: nothing it tells shows the charge',
  },
];

/** Why this accusation is expected; undefined when it is news. */
export function isKnown({ crime, text }: Accusation): string | undefined {
  return KNOWN.find((one) => one.crime === crime && one.text.test(text))?.why;
}
