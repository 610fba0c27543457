/**
 * What may be wrong with a disk after a power cut.
 * `lost_acknowledged`: a commit that had returned is gone; `half_written`: the content is that of no commit; `double_charges`: the terminal
 * was sent a payment that the books would send again; `lost_outcomes`: the books say otherwise than the terminal; `integrity`: the database
 * or its journal does not hold together, or does not open; `epoch`: the memory is declared lost, or a lost one its own; `anchors`: what
 * was anchored is not.
 */
export const CRIMES = [
  'double_charges',
  'lost_outcomes',
  'lost_acknowledged',
  'half_written',
  'integrity',
  'epoch',
  'anchors',
] as const;
export type Crime = (typeof CRIMES)[number];

/** One accusation, in words. */
export interface Accusation {
  readonly crime: Crime;
  readonly text: string;
}
