import { describe, expect, it } from 'vitest';
import { SyncStream } from '../../../../src/api/contract/sync.ts';
import { streamTable } from '../../../../src/cli/show/integration.ts';
import { moment } from '../../../../src/cli/show/moment.ts';

const FIRST = '2026-11-26T10:00:00.000Z';
const after = (minutes: number) => new Date(Date.parse(FIRST) + minutes * 60_000).toISOString();

function shown(times: readonly string[]): string {
  const stream = SyncStream.parse({
    object: 'sync_stream',
    provider: 'provider_a',
    resource: 'invoices',
    state: 'idle',
    rows: 1,
    fresh_at: null,
    is_stale: false,
    paused: false,
    next_run_at: times[0] ?? null,
    next_runs_at: [...times],
    run: null,
    expected: null,
    held: null,
    parked: 0,
    errors: 0,
    last_error: null,
    first_failure: null,
  } satisfies SyncStream);
  return streamTable([stream]).split('\n').slice(2).join('\n');
}

describe('when a stream runs next', () => {
  it('is one time where the others follow at an interval', () => {
    const words = `provider_a/invoices runs next at ${moment(FIRST)}, then every 900 s\n`;
    expect(shown([0, 15, 30, 45, 60].map(after))).toBe(words);
  });

  it('is every time where they differ', () => {
    const times = [0, 2, 7, 12, 500].map(after);
    expect(shown(times)).toBe(`provider_a/invoices runs next at ${times.map(moment).join(', ')}\n`);
  });

  it('is nothing where it does not run by itself', () => {
    expect(shown([])).toBe('');
  });
});
