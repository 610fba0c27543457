import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const MODULE = fileURLToPath(new URL('../../../src/api/shop-day.ts', import.meta.url));

/** The span of a day as a daemon in that zone has it. */
function spanIn(zone: string, on: string, now = 0): readonly string[] {
  const script = `import { shopDay } from ${JSON.stringify(MODULE)};
    const { from, before } = shopDay(${JSON.stringify(on)}, ${now});
    process.stdout.write(JSON.stringify([from, before].map((at) => new Date(at).toISOString())));`;
  const words = ['--input-type=module-typescript', '--eval', script];
  return JSON.parse(
    execFileSync(process.execPath, words, { env: { ...process.env, TZ: zone }, encoding: 'utf8' }),
  ) as readonly string[];
}

describe('a day of the shop', () => {
  it.each([
    ['Europe/Berlin', '2026-11-25', ['2026-11-24T23:00:00.000Z', '2026-11-25T23:00:00.000Z']],
    ['Europe/Berlin', '2026-10-25', ['2026-10-24T22:00:00.000Z', '2026-10-25T23:00:00.000Z']],
    ['Europe/Berlin', '2026-03-29', ['2026-03-28T23:00:00.000Z', '2026-03-29T22:00:00.000Z']],
    ['America/Santiago', '2026-09-06', ['2026-09-06T04:00:00.000Z', '2026-09-07T03:00:00.000Z']],
    ['UTC', '2026-12-31', ['2026-12-31T00:00:00.000Z', '2027-01-01T00:00:00.000Z']],
  ])('in %s, %s, lasts as its clocks say', (zone, on, span) => {
    expect(spanIn(zone, on)).toEqual(span);
  });

  it('is today and yesterday by the clock of the shop', () => {
    const now = Date.parse('2026-11-25T23:30:00Z');
    const begin = (on: string) => spanIn('Europe/Berlin', on, now)[0];
    expect([begin('today'), begin('yesterday')]).toEqual([
      '2026-11-25T23:00:00.000Z',
      '2026-11-24T23:00:00.000Z',
    ]);
  });
});
