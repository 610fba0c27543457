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
