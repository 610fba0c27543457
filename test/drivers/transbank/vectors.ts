import { existsSync, readFileSync } from 'node:fs';

/** One entry of `../shared/vectors/transbank`. */
export interface Vector {
  readonly name: string;
  readonly direction: 'ecr->pos' | 'pos->ecr' | 'both';
  readonly hex: string;
  /** False: it must be refused. */
  readonly valid?: false;
  /** What the maker's own libraries read from it. */
  readonly expect?: Readonly<Record<string, unknown>>;
  /** The text between the marks, cut at its separators. */
  readonly fields?: readonly string[];
}

const FILE = new URL('../../../../shared/vectors/transbank/known.json', import.meta.url);

/** Why the vectors cannot be read, if so. */
export const vectorsMissing = existsSync(FILE)
  ? undefined
  : 'the vectors are not beside this project (../shared/vectors)';

/** Every vector of the family; none when the folder is missing. */
export function transbankVectors(): readonly Vector[] {
  return vectorsMissing ? [] : JSON.parse(readFileSync(FILE, 'utf8'));
}
