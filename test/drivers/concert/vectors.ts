import { existsSync, readFileSync } from 'node:fs';

/** One entry of `../shared/vectors/concert`. */
export interface Vector {
  readonly name: string;
  readonly variant: 'E+' | 'V3-TLV' | 'V3-serial';
  readonly direction: 'ecr->terminal' | 'terminal->ecr' | 'both';
  readonly hex: string;
  /** False: it must be refused. */
  readonly valid?: false;
  /** E+: the characters between the marks; bytes of the whole frame. */
  readonly payload?: string;
  readonly length?: number;
  /** V3: the characters, and what they say. */
  readonly text?: string;
  readonly tags?: readonly (readonly [string, string])[];
}

const FOLDER = new URL('../../../../shared/vectors/concert/', import.meta.url);

/** Why the vectors cannot be read, if so. */
export const vectorsMissing = existsSync(FOLDER)
  ? undefined
  : 'the vectors are not beside this project (../shared/vectors)';

/** Every Concert vector; none when the folder is missing. */
export function concertVectors(): readonly Vector[] {
  if (vectorsMissing) return [];
  return JSON.parse(readFileSync(new URL('known.json', FOLDER), 'utf8'));
}
