import { existsSync, readFileSync } from 'node:fs';

/** One entry of `../shared/vectors/ecr17`. */
export interface Vector {
  readonly name: string;
  readonly direction: 'ecr->terminal' | 'terminal->ecr';
  readonly hex: string;
  /** False: it must be refused. */
  readonly valid?: false;
  readonly lrc_mode?: string;
  /** The text between 02 and 03. */
  readonly payload?: string;
  readonly payload_length?: number;
  readonly expect?: Readonly<Record<string, string | number>> | null;
  /** The check of the same frame in the other modes. */
  readonly lrc_other?: Readonly<Record<string, string>>;
}

const FOLDER = new URL('../../../../shared/vectors/ecr17/', import.meta.url);

/** Why the vectors cannot be read, if so. */
export const vectorsMissing = existsSync(FOLDER)
  ? undefined
  : 'the vectors are not beside this project (../shared/vectors)';

/** Every ECR17 vector; none when the folder is missing. */
export function ecr17Vectors(): readonly Vector[] {
  if (vectorsMissing) return [];
  return JSON.parse(readFileSync(new URL('known.json', FOLDER), 'utf8'));
}
