import { type SourceFile, type SyncWindow, sourceError, z } from '../../../src/driver-kit/provider.ts';
import type { FileResource } from './settings.ts';

const tokenSchema = z.strictObject({
  name: z.string().min(1).max(1_000),
  modifiedAt: z.number(),
  bytes: z.int().min(0),
  /** Of the next record, bytes. */
  offset: z.int().min(0),
});

/** A file's state when its reading began, and the offset of the next record. */
export type Place = z.output<typeof tokenSchema>;

/** @throws SOURCE_REFUSED when the token is not this connector's */
export function readPlace(token: string | null): Place | null {
  if (token === null) return null;
  try {
    return tokenSchema.parse(JSON.parse(token));
  } catch {
    throw sourceError('SOURCE_REFUSED', 'the place where the files were left cannot be read');
  }
}

export function positionOf(file: SourceFile, offset: number): string {
  return JSON.stringify({ name: file.name, modifiedAt: file.modifiedAt, bytes: file.bytes, offset });
}

/** The files of a window, oldest first; in `whole` mode the newest one only. Files written within `still_s` are left out. */
export function filesOf(
  all: readonly SourceFile[],
  { files, mode }: FileResource,
  window: SyncWindow,
  stillBefore: number,
): readonly SourceFile[] {
  const matches = matcher(files);
  const still = all
    .filter(({ name, modifiedAt, bytes }) => bytes > 0 && matches(name) && modifiedAt <= stillBefore)
    .sort(byAge);
  if (mode === 'whole') return still.slice(-1);
  const { from, to } = window;
  return still.filter(({ modifiedAt }) => (from === null || modifiedAt >= from) && modifiedAt <= to);
}

/** The files after a place in that order. */
export function behind(files: readonly SourceFile[], place: Place): readonly SourceFile[] {
  return files.filter((file) => byAge(file, place) > 0);
}

/** The same file, not written to since. */
export function isUnchanged(file: SourceFile, place: Place): boolean {
  return file.name === place.name && file.modifiedAt === place.modifiedAt && file.bytes === place.bytes;
}

type Aged = Pick<SourceFile, 'name' | 'modifiedAt'>;

function byAge(a: Aged, b: Aged): number {
  return a.modifiedAt - b.modifiedAt || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);
}

/** `*` matches any text; no other character is special, so matching stays fast. */
function matcher(pattern: string): (name: string) => boolean {
  const parts = pattern.split('*');
  return (name) => {
    const [first = '', ...rest] = parts;
    const last = rest.pop();
    if (last === undefined) return name === first;
    if (!name.startsWith(first) || !name.endsWith(last) || name.length < first.length + last.length)
      return false;
    let at = first.length;
    for (const part of rest) {
      const found = name.indexOf(part, at);
      if (found === -1 || found + part.length > name.length - last.length) return false;
      at = found + part.length;
    }
    return true;
  };
}
