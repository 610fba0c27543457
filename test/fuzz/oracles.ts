import { isDeepStrictEqual } from 'node:util';
import { AppError } from '../../src/base/errors.ts';
import { Oddity } from './target.ts';

/** What a parser made of an input: a value, or one of its typed refusals. */
export type Verdict<T> =
  | { readonly kind: 'value'; readonly value: T }
  | { readonly kind: 'refused'; readonly code: string; readonly offset: number | undefined };

/** Errors that a reader of foreign bytes may throw. */
const TYPED = /^(DECODE|TERMINAL)_[A-Z_]+$/;

/**
 * Runs a parser.
 * @throws Oddity when it throws anything but an AppError whose code `allowed` knows, or one whose offset lies outside the input.
 */
export function verdictOf<T>(parse: () => T, inputLength: number, allowed: RegExp = TYPED): Verdict<T> {
  try {
    return { kind: 'value', value: parse() };
  } catch (error) {
    if (!(error instanceof AppError) || !allowed.test(error.code))
      throw odd('an error without a type', error);
    const { offset } = error.context;
    if (offset === undefined) return { kind: 'refused', code: error.code, offset };
    if (typeof offset !== 'number' || !(offset >= 0 && offset <= inputLength))
      throw new Oddity(`${error.code} at ${String(offset)}, outside of ${inputLength} bytes`);
    return { kind: 'refused', code: error.code, offset };
  }
}

/** @throws Oddity when what came out is far larger than what went in. */
export function mustBeBounded(output: unknown, inputLength: number, factor: number, constant: number): void {
  const size = JSON.stringify(output)?.length ?? 0;
  const most = inputLength * factor + constant;
  if (size > most)
    throw new Oddity(`${size} characters came out of ${inputLength} bytes, ${most} are allowed`);
}

/** @throws Oddity when two things that must be the same are not. */
export function mustEqual(actual: unknown, expected: unknown, what: string): void {
  if (!isDeepStrictEqual(actual, expected))
    throw new Oddity(`${what}: ${short(actual)} is not ${short(expected)}`);
}

/** @throws Oddity */
export function must(condition: boolean, what: string): asserts condition {
  if (!condition) throw new Oddity(what);
}

/** A framer as the segmentation oracle sees it: items so far, until it refuses with a code. */
export interface Feed<Item> {
  push(bytes: Uint8Array): readonly Item[];
  readonly broken?: AppError | undefined;
}

/**
 * The same items and the same refusal come out of one piece, of single bytes, and of pieces whose sizes the bytes themselves choose.
 * @throws Oddity when they do not, or when a framer throws an error without a type.
 */
export function mustNotMindSegmentation<Item>(bytes: Uint8Array, open: () => Feed<Item>): readonly Item[] {
  const [whole, ...others] = [[bytes], singles(bytes), chosen(bytes, 7), chosen(bytes, 64)].map((pieces) =>
    fed(pieces, open(), bytes.length),
  );
  for (const other of others) mustEqual(other, whole, 'another segmentation');
  return whole?.items ?? [];
}

interface Fed<Item> {
  readonly items: readonly Item[];
  readonly refused: string | undefined;
}

function fed<Item>(pieces: readonly Uint8Array[], feed: Feed<Item>, length: number): Fed<Item> {
  const items: Item[] = [];
  for (const piece of pieces) {
    const verdict = verdictOf(() => feed.push(piece), length);
    if (verdict.kind === 'refused') return { items, refused: verdict.code };
    items.push(...verdict.value);
    if (feed.broken) return { items, refused: feed.broken.code };
  }
  return { items, refused: undefined };
}

function singles(bytes: Uint8Array): readonly Uint8Array[] {
  return Array.from(bytes, (byte) => Uint8Array.of(byte));
}

/** Pieces of 1 to `most` bytes; the sizes follow from the bytes. */
function chosen(bytes: Uint8Array, most: number): readonly Uint8Array[] {
  const pieces: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; ) {
    const size = 1 + (((bytes[at] ?? 0) * 31 + at) % most);
    pieces.push(bytes.subarray(at, at + size));
    at += size;
  }
  return pieces;
}

function odd(what: string, error: unknown): Oddity {
  const words = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  const code = error instanceof AppError ? ` (${error.code})` : '';
  return new Oddity(`${what}: ${words}${code}`);
}

function short(value: unknown): string {
  const text = JSON.stringify(value, (_key, item: unknown) =>
    item instanceof Uint8Array ? Buffer.from(item).toString('hex') : item,
  );
  return (text ?? String(value)).slice(0, 200);
}
