import { describe, expect, it } from 'vitest';
import { AppError } from '../../../src/base/errors.ts';
import type { Sink } from '../../../src/integration/ports.ts';
import { aBreakerShop, MINUTE, pauseOf, type Served } from '../../support/breaker-shop.ts';
import { aPage, aRecord } from '../../support/sync.ts';

/** One cause of failure, and what comes of it. */
interface Row {
  readonly cause: string;
  readonly served: () => Served;
  /** Of its first run. */
  readonly outcome: 'complete' | 'waiting' | 'failed';
  readonly code: string | null;
  /** Requests of the source that its first run took. */
  readonly tries: number;
  /** Runs that were counted as failed, after the first one. */
  readonly counted: 0 | 1;
  /** After three hours of it. */
  readonly paused: 'no' | 'credentials' | 'errors';
  /** Somebody must look: nothing was complete for three intervals, an hour at least. */
  readonly alarm: boolean;
  /** Why its record waits; null: none does. */
  readonly parked: 'bad' | 'mapping' | 'rejected' | null;
}

const LONG_AGO = Date.UTC(2026, 0, 1);
const good = async () => aPage([aRecord('row', LONG_AGO)]);

function refusal(code: string, retryAfterMs?: number): AppError {
  const context = retryAfterMs === undefined ? {} : { context: { details: { retryAfterMs } } };
  return new AppError(code, code, { retry: 'safe', ...context });
}

/** The source fails so, each time. */
function source(code: string, retryAfterMs?: number): () => Served {
  return () => ({
    list: async () => {
      throw refusal(code, retryAfterMs);
    },
  });
}

function remote(write: Extract<Sink, { kind: 'remote' }>['write']): () => Served {
  return () => ({ list: good, setup: { sink: { kind: 'remote', write } } });
}

/** The service fails so, each time. */
function sink(code: string, retryAfterMs?: number): () => Served {
  return remote(async () => {
    throw refusal(code, retryAfterMs);
  });
}

/** The source asks for a pause once, then works. */
function onceLimited(): Served {
  let isFirst = true;
  const list = async () => {
    if (!isFirst) return good();
    isFirst = false;
    throw refusal('SOURCE_RATE_LIMITED', 5_000);
  };
  return { list };
}

/** It forgets the place of the second page, once. */
function forgetful(): Served {
  let knows = false;
  const list = async (_resource: string, _window: unknown, token: string | null) => {
    if (token === null) return aPage([aRecord('row', LONG_AGO)], { next: 'second' });
    if (knows) return aPage([aRecord('row 2', LONG_AGO)]);
    knows = true;
    throw refusal('SOURCE_REFUSED');
  };
  return { list };
}

const badRecord = async () =>
  aPage([aRecord('other', LONG_AGO)], { bad: [{ id: 'row', reason: 'total is no number', excerpt: '{}' }] });
const FAILS = { outcome: 'failed', counted: 1, paused: 'errors', alarm: true, parked: null } as const;
const WAITS = { outcome: 'waiting', counted: 0, paused: 'no', alarm: true, parked: null } as const;
const GOES_ON = {
  outcome: 'complete',
  counted: 0,
  paused: 'no',
  alarm: false,
  parked: null,
} as const;

function row(
  cause: string,
  served: () => Served,
  comes: Omit<Row, 'cause' | 'served' | 'code' | 'tries'>,
  more: Pick<Row, 'tries'> & Partial<Row>,
): Row {
  return { cause, served, code: null, ...comes, ...more };
}

const bug = () => ({ list: () => Promise.reject(new TypeError('undefined is not a function')) });
const unmapped = () => ({
  list: good,
  setup: { map: () => ({ kind: 'park', reason: 'product 7 has no mapping', needs: '7' }) as const },
});
const rejecting = remote(async (batch) =>
  batch.map(({ id }) => ({ id, outcome: 'rejected', reason: 'no' }) as const),
);
const noRoom = () => ({ list: good, mayWrite: () => false });

const TABLE: readonly Row[] = [
  row('the source refuses the credential', source('SOURCE_UNAUTHORISED'), FAILS, {
    code: 'SOURCE_UNAUTHORISED',
    tries: 1,
    counted: 0,
    paused: 'credentials',
  }),
  row("the shop's line is down", source('SOURCE_LINE_DOWN'), WAITS, { code: 'SOURCE_LINE_DOWN', tries: 1 }),
  row('the source asks for a pause of seconds', onceLimited, GOES_ON, { tries: 2 }),
  row('the source asks for a pause of minutes', source('SOURCE_RATE_LIMITED', 600_000), WAITS, {
    code: 'SOURCE_RATE_LIMITED',
    tries: 1,
  }),
  row('the source gives time-outs and 5xx', source('SOURCE_UNAVAILABLE'), FAILS, {
    code: 'SOURCE_UNAVAILABLE',
    tries: 3,
  }),
  row('the answers of the source make no sense', source('SOURCE_MALFORMED'), FAILS, {
    code: 'SOURCE_MALFORMED',
    tries: 3,
  }),
  row('the source refuses the request', source('SOURCE_REFUSED'), FAILS, {
    code: 'SOURCE_REFUSED',
    tries: 1,
  }),
  row('the source has forgotten the place', forgetful, GOES_ON, { tries: 4 }),
  row('a connector has a bug', bug, FAILS, { code: 'CONNECTOR_BROKEN', tries: 1 }),
  row('one record cannot be read', () => ({ list: badRecord }), GOES_ON, { tries: 1, parked: 'bad' }),
  row('the product of a record has no mapping', unmapped, GOES_ON, { tries: 1, parked: 'mapping' }),
  row('the service rejects one record', rejecting, GOES_ON, { tries: 1, parked: 'rejected' }),
  row('the line to the service is down', sink('SINK_LINE_DOWN'), WAITS, { code: 'SINK_LINE_DOWN', tries: 1 }),
  row('the service refuses our key', sink('SINK_UNAUTHORISED'), WAITS, {
    code: 'SINK_UNAUTHORISED',
    tries: 1,
  }),
  row('the service asks for a pause of minutes', sink('SINK_RATE_LIMITED', 600_000), WAITS, {
    code: 'SINK_RATE_LIMITED',
    tries: 1,
  }),
  row('the service gives time-outs and 5xx', sink('SINK_UNAVAILABLE'), FAILS, {
    code: 'SINK_UNAVAILABLE',
    tries: 1,
  }),
  row('the service refuses the request', sink('SINK_REFUSED'), FAILS, { code: 'SINK_REFUSED', tries: 1 }),
  row('the disk has no room to spare', noRoom, WAITS, { code: 'STORAGE_FULL', tries: 0 }),
];

describe('what happens when a sync fails', () => {
  it.each(TABLE)('$cause: $outcome, paused: $paused, alarm: $alarm, parked: $parked', async (expected) => {
    const shop = aBreakerShop(expected.served());
    shop.schedule.start();
    await shop.clock.advance(MINUTE);
    const [report] = shop.reports;
    const code = report && report.outcome !== 'busy' ? (report.failure?.code ?? null) : null;
    expect([report?.outcome, code]).toEqual([expected.outcome, expected.code]);
    expect(shop.countOf('provider_a')).toBe(expected.counted);
    if (expected.outcome !== 'waiting') expect(shop.asked()).toBe(expected.tries);
    await shop.clock.advance(180 * MINUTE);
    expect(pauseOf(shop.settings.get('provider_a'))).toBe(expected.paused);
    expect(shop.isStale('provider_a')).toBe(expected.alarm);
    expect(shop.parked('provider_a', 'row')?.why ?? null).toBe(expected.parked);
    const [runs, count] = [shop.reports.length, shop.countOf('provider_a')];
    if (expected.paused === 'errors') expect([runs, count]).toEqual([10, 10]);
    if (expected.paused === 'credentials') expect([runs, count]).toEqual([1, 0]);
    if (expected.paused === 'no') expect([runs > 10, count]).toEqual([true, 0]);
    expect([shop.isStale('provider_b'), shop.rowsOf('provider_b')]).toEqual([false, ['row']]);
    await shop.stop();
  });
});

describe('an integration that fails', () => {
  it('is counted and paused for ever, through deaths of the process', async () => {
    const failing = source('SOURCE_UNAVAILABLE');
    const first = aBreakerShop(failing());
    first.schedule.start();
    await first.clock.advance(20 * MINUTE);
    const before = first.countOf('provider_a');
    expect(before).toBeGreaterThan(2);
    const second = aBreakerShop(failing(), first.killed(), first.clock);
    await first.stop();
    expect(second.countOf('provider_a')).toBe(before);
    second.schedule.start();
    await second.clock.advance(60 * MINUTE);
    expect(second.reports).toHaveLength(10 - before);
    const third = aBreakerShop({}, second.killed(), second.clock);
    await second.stop();
    expect([pauseOf(third.settings.get('provider_a')), third.countOf('provider_a')]).toEqual(['errors', 10]);
    third.schedule.start();
    await third.clock.advance(60 * MINUTE);
    expect(third.asked()).toBe(0);
    await third.stop();
  });

  it.each(['SOURCE_UNAUTHORISED', 'SOURCE_UNAVAILABLE'])(
    'shows a row within five seconds of a resume, and counts from nothing: %s',
    async (code) => {
      let isBroken = true;
      const list = async () => {
        if (isBroken) throw refusal(code);
        return good();
      };
      const shop = aBreakerShop({ list });
      shop.schedule.start();
      await shop.clock.advance(120 * MINUTE);
      expect(pauseOf(shop.settings.get('provider_a'))).not.toBe('no');
      isBroken = false;
      await shop.clock.advance(60 * MINUTE);
      expect(shop.rowsOf('provider_a')).toEqual([]);
      shop.settings.resume('provider_a');
      shop.schedule.runNow('provider_a');
      await shop.clock.advance(5_000);
      expect(shop.rowsOf('provider_a')).toEqual(['row']);
      expect([pauseOf(shop.settings.get('provider_a')), shop.countOf('provider_a')]).toEqual(['no', 0]);
      await shop.stop();
    },
  );

  it('keeps its rows, credentials and mappings while it is switched off, and the schedule passes it by', async () => {
    const shop = aBreakerShop({});
    shop.schedule.start();
    await shop.clock.advance(MINUTE);
    const credentials = { apiKey: 'secret', baseUrl: '', appName: '', appEmail: '' };
    shop.settings.keepCredentials('provider_a', credentials);
    shop.settings.replaceMappings('provider_a', [
      { externalId: '7', internalId: 'seven', isIgnored: false, metadata: '{}' },
    ]);
    shop.settings.change('provider_a', { isEnabled: false });
    const asked = shop.asked();
    await shop.clock.advance(60 * MINUTE);
    expect(shop.asked()).toBe(asked);
    expect(shop.rowsOf('provider_a')).toEqual(['row']);
    expect(shop.settings.credentialsOf('provider_a', JSON.parse)).toEqual(credentials);
    expect(shop.settings.replaceMappings('provider_a', [])).toEqual([]);
    shop.settings.change('provider_a', { isEnabled: true });
    await shop.clock.advance(10 * MINUTE);
    expect(shop.asked()).toBeGreaterThan(asked);
    await shop.stop();
  });
});
