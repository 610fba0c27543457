import { describe, expect, it } from 'vitest';
import { beside, LogRing } from '../../../src/runtime/log-ring.ts';
import { createLog } from '../../../src/runtime/pino-log.ts';

const ALL = { after: null, least: 'trace', limit: 5_000 } as const;

function filled(lines: number): LogRing {
  const ring = new LogRing('life');
  for (let line = 1; line <= lines; line += 1) ring.write(`{"level":"info","n":${line}}\n`);
  return ring;
}

describe('the newest lines of the log', () => {
  it('never get more than 2,000, and the oldest go first', () => {
    const lines = filled(2_500).tail(ALL);
    expect(lines).toHaveLength(2_000);
    expect([lines[0]?.text, lines.at(-1)?.text]).toEqual([
      '{"level":"info","n":501}',
      '{"level":"info","n":2500}',
    ]);
  });

  it('never get larger than a million characters, however long a line is', () => {
    const ring = new LogRing('life');
    for (let line = 0; line < 100; line += 1) ring.write('x'.repeat(50_000));
    expect(ring.tail(ALL)).toHaveLength(20);
  });

  it('are given from where somebody has stopped, and whole when that was in another life', () => {
    const ring = filled(10);
    const seen = ring.tail(ALL)[6]?.id ?? null;
    expect(ring.tail({ ...ALL, after: seen })).toHaveLength(3);
    expect(ring.tail({ ...ALL, after: 'earlier-9' })).toHaveLength(10);
    expect(ring.tail({ ...ALL, after: 'what is this' })).toHaveLength(10);
    expect(ring.tail({ ...ALL, after: seen, limit: 1 })[0]?.text).toBe('{"level":"info","n":10}');
  });

  it('leave out what is less than asked for, and show what does not say its level', () => {
    const ring = new LogRing('life');
    for (const line of ['{"level":"debug"}', '{"level":"warn"}', 'no JSON at all']) ring.write(line);
    expect(ring.tail({ ...ALL, least: 'warn' }).map(({ text }) => text)).toEqual([
      '{"level":"warn"}',
      'no JSON at all',
    ]);
  });

  it('hold no card number and no credential: they stand behind the guards of the log', () => {
    const ring = new LogRing('life');
    const written: string[] = [];
    const log = createLog('info', beside({ write: (line) => written.push(line) }, ring));
    const key = `rk_live_${'A'.repeat(32)}`;
    log.info({ typed: '4111111111111111', note: key, secret: 'hush' }, 'card 4111111111111111 was typed');
    const [line] = ring.tail(ALL);
    expect(line?.text).toBe(written[0]?.trimEnd());
    for (const secret of ['4111111111111111', key, 'hush']) expect(line?.text).not.toContain(secret);
  });
});
