import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type CoreWord, compare, type ModelWord, REFINEMENTS, stands } from './compare.ts';

const README = readFileSync(join(import.meta.dirname, '..', 'README.md'), 'utf8');

const model = (state: ModelWord['state'], changes: Partial<ModelWord> = {}): ModelWord => ({
  state,
  task: false,
  corrected: false,
  ...changes,
});
const core = (
  stage: CoreWord['stage'],
  charged: CoreWord['charged'] = 'unknown',
  task = false,
): CoreWord => ({
  stage,
  charged,
  task,
});
const wordFor = (difference: ReturnType<typeof compare>) =>
  difference === null ? 'same' : difference.kind === 'refinement' ? difference.row : difference.kind;

describe('what the model and the core say of one attempt', () => {
  it.each([
    ['a request that waits', model('requested'), core('requested'), 'same'],
    ['a request that is refused at once', model('requested'), core('refused', 'no'), 'refused_at_once'],
    ['a request that is cancelled at once', model('requested'), core('final', 'no'), 'expired_at_once'],
    ['a request that is sent by itself', model('requested'), core('running'), 'divergence'],
    ['a request that is charged', model('requested'), core('final', 'yes'), 'divergence'],
    ['a dialogue', model('approved'), core('running'), 'same'],
    ['an approval that is told as paid', model('approved'), core('final', 'yes'), 'divergence'],
    ['a doubt', model('in_doubt'), core('in_doubt'), 'same'],
    ['a doubt that is told as a decline', model('in_doubt'), core('final', 'no'), 'divergence'],
    ['a doubt that is told as paid', model('in_doubt'), core('final', 'yes'), 'divergence'],
    ['a doubt whose person is missing', model('in_doubt', { task: true }), core('in_doubt'), 'divergence'],
    [
      'a doubt whose person is asked earlier',
      model('in_doubt'),
      core('in_doubt', 'unknown', true),
      'asked_earlier',
    ],
    ['a charge', model('charged'), core('final', 'yes'), 'same'],
    ['a charge that is told as none', model('charged'), core('final', 'no'), 'divergence'],
    [
      'a charge that a person must find',
      model('charged'),
      core('in_doubt', 'unknown', true),
      'a_person_decides',
    ],
    ['a charge that stays in doubt without a person', model('charged'), core('in_doubt'), 'divergence'],
    ['no charge', model('not_charged'), core('final', 'no'), 'same'],
    ['no charge, and never taken', model('not_charged'), core('refused', 'no'), 'same'],
    ['no charge that is told as one', model('not_charged'), core('final', 'yes'), 'divergence'],
    ['no charge, corrected', model('not_charged', { corrected: true }), core('final', 'yes'), 'same'],
    [
      'no charge, not corrected',
      model('not_charged', { corrected: true }),
      core('final', 'no'),
      'divergence',
    ],
    ['a corrected charge', model('charged', { corrected: true }), core('final', 'no'), 'same'],
    ['what was written off', model('written_off'), core('written_off'), 'same'],
    ['what was written off and told as none', model('written_off'), core('final', 'no'), 'divergence'],
    ['an attempt that only the core knows', model('none'), core('requested'), 'divergence'],
  ])('%s', (_, expectedAnswer, heard, expected) => {
    expect(wordFor(compare(expectedAnswer, heard))).toBe(expected);
  });

  it.each(Object.keys(REFINEMENTS))('where the core is more careful is in the README: %s', (row) => {
    expect(README).toContain(`\`${row}\``);
  });

  it('a sale stands while it is open, in doubt, charged or written off, by the newest word', () => {
    const words = ['requested', 'dispatched', 'approved', 'in_doubt', 'charged', 'written_off'] as const;
    expect(words.map((state) => stands(model(state)))).not.toContain(false);
    expect(stands(model('not_charged', { corrected: true }))).toBe(true);
    expect(stands(model('none')) || stands(model('not_charged'))).toBe(false);
    expect(stands(model('charged', { corrected: true }))).toBe(false);
  });
});
