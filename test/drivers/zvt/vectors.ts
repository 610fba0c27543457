import { existsSync, readFileSync } from 'node:fs';

/** One entry of `../shared/vectors/zvt`. */
export interface Vector {
  readonly name: string;
  readonly layer: 'apdu' | 'serial-frame' | 'apdu-stream' | 'tcp-fragments';
  readonly direction: 'ecr->pt' | 'pt->ecr';
  readonly hex: string;
  /** False: it must be refused. */
  readonly valid?: false;
  readonly decoded?: Record<string, unknown>;
  readonly apdu_hex?: string;
  readonly apdus?: readonly string[];
  readonly fragments?: readonly string[];
}

const FOLDER = new URL('../../../../shared/vectors/zvt/', import.meta.url);

/** Why the vectors cannot be read, if so. */
export const vectorsMissing = existsSync(FOLDER)
  ? undefined
  : 'the vectors are not beside this project (../shared/vectors)';

/** Every ZVT vector; none when the folder is missing. */
export function zvtVectors(): readonly Vector[] {
  if (vectorsMissing) return [];
  return ['known.json', 'synthetic.json'].flatMap((file): Vector[] =>
    JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8')),
  );
}
