import { describe, expect, it } from 'vitest';
import { SourceLog } from './source-log.ts';

const page = (name: string, isLast = false) => ({ path: `/invoices?page=${name}`, isEmpty: false, isLast });

/** A life that was sent `before`, of which the store counted so many, and what the next one asks for first. */
function repeated(
  before: ReturnType<typeof page>[],
  committed: number | null,
  first: ReturnType<typeof page>,
) {
  const log = new SourceLog();
  for (const one of before) log.answered(one);
  log.killed(committed);
  log.answered(first);
  return log.repeated();
}

describe('how many pages a death costs', () => {
  const pass = [page('a'), page('b'), page('c', true)];

  it('is the one that was under way', () => {
    expect(repeated([page('a'), page('b')], 1, page('b'))).toBe(1);
    expect(repeated(pass, 2, page('c', true))).toBe(1);
    expect(repeated([page('a'), page('b')], 2, page('c', true))).toBe(0);
  });

  it('is nothing where the next pass begins with the pages of the one before', () => {
    expect(repeated(pass, 3, page('a'))).toBe(0);
    expect(repeated([...pass, page('a')], 4, page('b'))).toBe(0);
  });

  it('is all that must be read again, where the place or the count of a pass was lost', () => {
    expect(repeated([...pass, page('a'), page('b')], null, page('a'))).toBe(2);
    expect(repeated(pass, 0, page('a'))).toBe(3);
  });
});
