import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startingConfig } from '../../../src/agent/starting-config.ts';
import { MOST_STARTS } from '../../../src/fleet/agent/configuration-state.ts';
import { ownerLine } from '../../../src/runtime/pid-file.ts';
import { aFolder } from '../../support/money-database.ts';

const GOOD = { revision: 5, settings: { heartbeat_ms: 20_000 } };
const TRIED = { revision: 7, settings: { heartbeat_ms: 30_000 }, phase: 'trying', starts: 0, before: null };

/** A shop's file, and what is on disk of its fleet's settings. */
function aShop(state: unknown) {
  const folder = aFolder();
  const file = join(folder, 'tilld.jsonc');
  writeFileSync(file, JSON.stringify({ version: 1, environment: 'sandbox', heartbeat_ms: 10_000 }));
  const credentials = join(folder, 'state', 'credentials');
  mkdirSync(credentials, { recursive: true });
  const kept = join(credentials, 'fleet-configuration.json');
  writeFileSync(kept, typeof state === 'string' ? state : JSON.stringify(state));
  const start = () => {
    const { config, fleet, own } = startingConfig(file, join(folder, 'state'), 1);
    expect(own.heartbeat_ms).toBe(10_000);
    return [config.heartbeat_ms, fleet?.revision ?? null];
  };
  return { folder, credentials, start, state: () => JSON.parse(readFileSync(kept, 'utf8')) };
}

const stateOf = (more: object) => ({
  ...{ newest: 7, own: 'abcdefghijkl', good: null, attempt: null, failed: null },
  ...more,
});

describe('a daemon of a fleet starts', () => {
  it('with what is tried, so often, and then with the last good settings', () => {
    const { start, state } = aShop(stateOf({ good: GOOD, attempt: TRIED }));
    for (let times = 1; times <= MOST_STARTS; times += 1) {
      expect(start()).toEqual([30_000, 7]);
      expect(state().attempt.starts).toBe(times);
    }
    for (let times = 0; times < 2; times += 1) expect(start()).toEqual([20_000, 5]);
    expect(state()).toMatchObject({ attempt: null, failed: { revision: 7 } });
  });

  it('with the last good settings where what is tried cannot be read by it', () => {
    const attempt = { ...TRIED, settings: { heartbeat_ms: 1 } };
    const { start, state } = aShop(stateOf({ good: GOOD, attempt }));
    expect(start()).toEqual([20_000, 5]);
    expect(state()).toMatchObject({
      good: GOOD,
      attempt: null,
      failed: { revision: 7, why: expect.stringContaining('heartbeat_ms') },
    });
  });

  it('with its own files alone where the last good settings do not fit them any more', () => {
    const good = { revision: 5, settings: { service: { burst: 3 } } };
    const { start, state } = aShop(stateOf({ good }));
    expect(start()).toEqual([10_000, null]);
    expect(state()).toMatchObject({
      good,
      failed: { revision: 5, why: expect.stringMatching(/no service/) },
    });
  });

  it.each(['', '{"newest": 7}', 'null', '[]', '{"newest"'])(
    'with its own files alone where %j is on disk',
    (text) => {
      expect(aShop(text).start()).toEqual([10_000, null]);
    },
  );

  it('with the last good settings where the start cannot be counted', () => {
    const { credentials, start } = aShop(stateOf({ good: GOOD, attempt: TRIED }));
    mkdirSync(join(credentials, 'fleet-configuration.json.new'));
    chmodSync(credentials, 0o500);
    expect(start()).toEqual([20_000, 5]);
    chmodSync(credentials, 0o700);
  });

  it('and a second one beside it counts for nothing', () => {
    const { folder, start, state } = aShop(stateOf({ good: GOOD, attempt: TRIED }));
    writeFileSync(join(folder, 'state', 'tilld.pid'), ownerLine(process.pid));
    expect(start()).toEqual([30_000, 7]);
    expect(state().attempt.starts).toBe(0);
  });
});
