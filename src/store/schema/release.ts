import { readFileSync } from 'node:fs';
import { z } from 'zod';

const Manifest = z.object({ version: z.string() });
/** `0.2.0`; a suffix (`-rc.1`, `+build`, `~beta`) does not change what it can write. */
const RELEASE = /^(\d{1,6})\.(\d{1,6})\.(\d{1,6})(?:[-+~].*)?$/;

export function ownRelease(): string {
  const text = readFileSync(new URL('../../../package.json', import.meta.url), 'utf8');
  return Manifest.parse(JSON.parse(text)).version;
}

/** Whether a release can write a database that names `minWriter` as the oldest that can; a text that is no release never can. */
export function canWrite(release: string, minWriter: string | null): boolean {
  const own = numbersOf(release);
  const least = minWriter === null ? null : numbersOf(minWriter);
  if (!own || !least) return false;
  const difference = own.map((number, index) => number - (least[index] ?? 0)).find((step) => step !== 0);
  return (difference ?? 0) >= 0;
}

/** The later of two; if one is no release, the other. */
export function laterRelease(one: string, other: string): string {
  return canWrite(one, other) || !numbersOf(other) ? one : other;
}

function numbersOf(release: string): readonly number[] | null {
  const parts = RELEASE.exec(release);
  return parts ? parts.slice(1, 4).map(Number) : null;
}
