import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { zvt } from '../../drivers/terminals/zvt/manifest.ts';
import { silentLog } from '../../src/base/log.ts';
import { Database } from '../../src/store/database.ts';
import { MONEY_MIGRATIONS } from '../../src/store/schema/migrations.ts';
import { COUNTER, type Premises, QuickShop } from '../simulation/month/quick-shop.ts';
import { QuickTerminal } from '../simulation/month/quick-terminal.ts';
import { Random, seededIds } from '../simulation/random.ts';
import { SimService, type SimServiceShape } from '../simulation/service.ts';
import { PartClock, SimClock, Wall } from '../simulation/sim-clock.ts';
import { Trace } from '../simulation/trace.ts';
import { aFolder } from '../support/money-database.ts';

const HOUR_MS = 3_600_000;
const GOOD = { honoursOurId: true, keepsMetadata: true, refusesUnknownFields: false } as const;

/** The real core, store, outbox and link beside a service of this kind; time passes as the test says. */
async function shopBeside(traits: Partial<SimServiceShape>, createLocal = true) {
  const time = new SimClock();
  const ids = (stream: string) => seededIds(new Random(1, stream), { now: () => time.now });
  const broken: string[] = [];
  const service = new SimService(
    { ...GOOD, ...traits, devices: [{ id: COUNTER.id, name: COUNTER.name }], plan: 'growth' },
    {
      clock: new PartClock(time, new Wall()),
      ids: ids('service'),
      random: new Random(1, 'line'),
      trace: new Trace(time, false),
      fault: () => undefined,
      accuse: (_, text) => broken.push(text),
    },
  );
  const database = Database.open(join(aFolder(), 'money.db'), MONEY_MIGRATIONS, '0.1.0');
  onTestFinished(() => database.close());
  const terminal = new QuickTerminal({ grade: 'serial', serial: '17F00001' }, zvt.capabilities);
  const premises: Premises = {
    time,
    database,
    service,
    ids: ids('agent'),
    log: silentLog,
    agent: 'agent-1',
    createLocal,
  };
  const life = { shop: new QuickShop(premises, terminal) };
  await time.advance(3000);
  const restart = async () => {
    life.shop.kill();
    life.shop = new QuickShop(premises, terminal);
    await time.advance(3000);
  };
  const rows = () =>
    database.all('SELECT kind, state, last_error AS error FROM outbox ORDER BY seq') as readonly object[];
  return { time, service, terminal, life, restart, rows, broken };
}

type Beside = Awaited<ReturnType<typeof shopBeside>>;

const DONE = [
  { kind: 'create', state: 'done', error: null },
  { kind: 'result', state: 'done', error: null },
];

/** One payment here, one at the service, one on the terminal; whatever the service lists was not run as work. */
function expectReportedOnce({ service, terminal, rows, broken }: Beside, attemptId: string): void {
  expect(rows()).toEqual(DONE);
  expect(service.payments).toMatchObject([
    {
      status: 'succeeded',
      askedBy: 'client',
      asked: { id: attemptId },
      calls: { create: { applied: 1 }, claim: { applied: 0 }, result: { applied: 1 } },
    },
  ]);
  expect(terminal.charged).toBe(1);
  expect(broken).toEqual([]);
}

describe('A payment that was started here', () => {
  it.each<[string, Partial<SimServiceShape>]>([
    ['that ignores our id', { honoursOurId: false }],
    ['that drops metadata', { keepsMetadata: false }],
    [
      'that refuses unknown fields, metadata among them',
      { keepsMetadata: false, refusesUnknownFields: true },
    ],
  ])(
    'is there once at a service %s, though answers are lost, and is never run as work',
    async (_, traits) => {
      const beside = await shopBeside(traits);
      const { time, service, life } = beside;
      service.spoil('answer_lost', 2, 'POST');
      const id = life.shop.sell(1234, 'R1');
      await time.advance(60_000);
      expectReportedOnce(beside, id);
      const [payment] = service.payments;
      expect(payment?.id === id).toBe(traits.honoursOurId !== false);
      expect(life.shop.agent.requestGuard.isOurs(payment?.id ?? '', {})).toBe(true);
      await time.advance(HOUR_MS);
      expectReportedOnce(beside, id);
    },
  );

  it.each([
    ['a key that was just used', 0],
    ['a key that is too old', 24 * HOUR_MS],
  ])(
    'is kept and not told again while a wrong key is answered with 404, after a restart with %s; the right key then finds it told',
    async (_, awayMs) => {
      const beside = await shopBeside({});
      const { time, service, life, restart, rows } = beside;
      service.spoil('answer_lost', 100, 'POST');
      const id = life.shop.sell(1234, 'R1');
      await time.advance(10_000);
      service.mend();
      service.goOffline(awayMs);
      await time.advance(awayMs);
      service.troubleKey('foreign', 2 * HOUR_MS);
      await restart();
      await time.advance(HOUR_MS);
      expect(rows()).toMatchObject([
        { kind: 'create', state: 'pending', error: expect.stringMatching(/^not_visible/) },
        { kind: 'result', state: 'pending', error: null },
      ]);
      expect(service.payments).toMatchObject([{ status: 'requested', calls: { create: { applied: 1 } } }]);
      await time.advance(2 * HOUR_MS);
      expectReportedOnce(beside, id);
    },
  );

  it('stays here, whole, where the service keeps neither our id nor our metadata and creating is switched off', async () => {
    const { time, service, life, rows, terminal } = await shopBeside(
      { honoursOurId: false, keepsMetadata: false },
      false,
    );
    life.shop.sell(1234, 'R1');
    await time.advance(HOUR_MS);
    expect(rows()).toMatchObject([
      { kind: 'create', state: 'pending' },
      { kind: 'result', state: 'pending' },
    ]);
    expect(service.payments).toEqual([]);
    expect(terminal.charged).toBe(1);
  });
});
