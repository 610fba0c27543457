import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import type { Beat } from '../../src/hub/beat.ts';
import { makeOperatorKey, signCommand } from '../../src/hub/commands/sign.ts';
import { testBeat } from './alerts.ts';
import { type Operator, Shop, type TestHub, testHub } from './hub.ts';

export const REVISION = 7;
export const [RUNS, FAILS] = [
  { running: REVISION, attempted: null, failed: null },
  { running: null, attempted: null, failed: { revision: REVISION, why: 'it did not sell', at: 1 } },
];

/** A shop that does with settings what the test says. */
export class Target {
  readonly shop: Shop;
  readonly agentId: string;
  readonly name: string;
  taken = 0;
  #now: () => number;

  constructor(shop: Shop, name: string, now: () => number) {
    this.shop = shop;
    this.name = name;
    this.agentId = shop.issuer?.split('/')[1] ?? '';
    this.#now = now;
  }

  async ask(more: object = {}): Promise<readonly { readonly id: string }[]> {
    const { body } = await this.shop.exchange({ ...more }, this.#now());
    return body.data.commands;
  }

  /** Takes what it is given, and reports how its configuration is then. */
  async take(configuration: object): Promise<boolean> {
    const commands = await this.ask();
    for (const { id } of commands) {
      this.taken += 1;
      await this.ask({ outcomes: [{ id, state: 'done', details: null }], state: { configuration } });
    }
    return commands.length > 0;
  }
}

interface Bench {
  readonly hub: TestHub;
  readonly beat: Beat;
  /** A new one for each test, with an operator of its own. */
  readonly tenant: string;
  readonly anna: Operator;
}

/** A hub for the tests of a file, and what they do with rollouts. */
export function rolloutBench() {
  const folder = mkdtempSync(join(tmpdir(), 'tilld-rollout-'));
  const keyFile = join(folder, 'operator.key');
  let tenants = 0;
  const bench = {} as { -readonly [K in keyof Bench]: Bench[K] };
  beforeAll(async () => {
    makeOperatorKey(keyFile);
    bench.hub = await testHub();
    bench.hub.now = Date.now();
    bench.beat = testBeat(bench.hub.database);
  }, 120_000);
  afterAll(async () => {
    rmSync(folder, { recursive: true, force: true });
    await bench.hub.stop();
  });
  beforeEach(async () => {
    tenants += 1;
    bench.tenant = `Bakery ${tenants}`;
    await bench.hub.tenant(bench.tenant);
    bench.anna = await bench.hub.operator(bench.tenant, 'operator');
  });

  const joined = async (count: number) => {
    const targets: Target[] = [];
    for (let number = 1; number <= count; number += 1) {
      const shop = new Shop(bench.hub.send);
      const name = `Shop ${number}`;
      await shop.join(await bench.hub.invite(bench.tenant, name));
      const target = new Target(shop, name, () => bench.hub.now);
      await target.ask();
      targets.push(target);
    }
    return targets;
  };
  const signed = (targets: readonly Target[], command: object = settings(), seconds = 604_800) =>
    Promise.all(
      targets.map(({ agentId }) =>
        signCommand(keyFile, { agentId, operator: 'Anna', seconds, command }, bench.hub.now),
      ),
    );
  const settings = (revision = REVISION) => ({
    kind: 'configuration',
    revision,
    settings: { heartbeat_ms: 5_000 },
  });
  const post = async (path: string, body: object = {}, by = bench.anna) => {
    const reply = await by.ask('POST', `/v1/rollouts${path}`, { body });
    const { data, error } = reply.body;
    return data === undefined ? [reply.status, error.code] : [reply.status, undefined, data];
  };
  const started = async (targets: readonly Target[], more: object = {}, name = 'winter') => {
    expect(await post('', { name, ...more })).toMatchObject([201, undefined, { state: 'draft', shops: {} }]);
    expect((await post(`/${name}/commands`, { signed: await signed(targets) }))[0]).toBe(200);
    expect(await post(`/${name}/start`)).toMatchObject([200, undefined, { state: 'running' }]);
  };
  const view = async (name = 'winter') => (await bench.anna.ask('GET', `/v1/rollouts/${name}`)).body.data;
  /** All shops ask, and what the hub does by itself follows. */
  const turn = async (targets: readonly Target[], configuration: (target: Target) => object = () => RUNS) => {
    await bench.beat.advance();
    const took: string[] = [];
    for (const target of targets) if (await target.take(configuration(target))) took.push(target.name);
    await bench.beat.advance();
    return took;
  };
  return { bench: bench as Bench, joined, signed, settings, post, started, view, turn };
}
