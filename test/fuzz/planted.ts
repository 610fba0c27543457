import fc from 'fast-check';
import { hostile, oneOf, utf8 } from './mutations.ts';
import { must, mustNotMindSegmentation, verdictOf } from './oracles.ts';
import type { Target } from './target.ts';

/** Parsers with one bug each, so that a test sees the fuzzer find it. */
const messages = hostile(oneOf([utf8('A3abc'), utf8('A1x'), utf8('A9')]));

const reads = (name: string, parse: (bytes: Uint8Array) => unknown): Target => ({
  name,
  promise: 'it has a bug',
  inputs: messages,
  check: (bytes) => void verdictOf(() => parse(bytes), bytes.length),
});

const untyped = reads('throws-something-else', (bytes) => {
  if (bytes[1] === 0x39) throw new TypeError('undefined is not a function');
});

const slow = reads('takes-ages', (bytes) => {
  if (bytes[1] === 0x39) for (let sum = 0; sum < 100_000_000; sum += 1) if (sum < 0) return;
});

const endless = reads('never-comes-back', (bytes) => {
  while (bytes[0] === 0x80);
});

const greedy = reads('eats-all-memory', (bytes) => {
  const eaten: number[][] = [];
  while (bytes[0] === 0x80) eaten.push(new Array<number>(1_000_000).fill(eaten.length));
});

const ragged: Target = {
  name: 'minds-segmentation',
  promise: 'it has a bug',
  inputs: messages,
  check: (bytes) => void mustNotMindSegmentation(bytes, () => ({ push: (piece) => [piece.length > 2] })),
};

const leaky: Target = {
  name: 'shows-what-it-must-hide',
  promise: 'it has a bug',
  inputs: fc.constant(utf8('pan 5413330089020011')),
  check: (bytes) => must(!new TextDecoder().decode(bytes).includes('5413330089020011'), 'it shows the card'),
};

const sound: Target = { ...untyped, name: 'is-sound', check: () => undefined };

export const targets: readonly Target[] = [untyped, ragged, leaky, slow, endless, greedy, sound];
