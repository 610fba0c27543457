import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { zvt } from '../../drivers/terminals/zvt/manifest.ts';
import { silentLog } from '../../src/base/log.ts';
import { Database } from '../../src/store/database.ts';
import { MONEY_MIGRATIONS } from '../../src/store/schema/migrations.ts';
import { COUNTER, QuickShop } from '../simulation/month/quick-shop.ts';
import { QuickTerminal } from '../simulation/month/quick-terminal.ts';
import { Random, seededIds } from '../simulation/random.ts';
import { SimService } from '../simulation/service.ts';
import { PartClock, SimClock, Wall } from '../simulation/sim-clock.ts';
import { Trace } from '../simulation/trace.ts';
import { aFolder } from '../support/money-database.ts';

/** A shop beside a service that gives its own ids and keeps no metadata: nothing in its lists names our payments. */
function beside() {
  const time = new SimClock();
  const ids = (stream: string) => seededIds(new Random(1, stream), { now: () => time.now });
  const broken: string[] = [];
  const service = new SimService(
    {
      honoursOurId: false,
      keepsMetadata: false,
      refusesUnknownFields: false,
      devices: [{ id: COUNTER.id, name: COUNTER.name }],
      plan: 'growth',
    },
    {
      clock: new PartClock(time, new Wall()),
      ids: ids('service'),
      random: new Random(1, 'line'),
      trace: new Trace(time, false),
      fault: () => undefined,
      accuse: (_: string, text: string) => broken.push(text),
    },
  );
  const database = Database.open(join(aFolder(), 'money.db'), MONEY_MIGRATIONS, '0.1.0');
  onTestFinished(() => database.close());
  const terminal = new QuickTerminal({ grade: 'serial', serial: '17F00001' }, zvt.capabilities);
  const premises = { time, database, service, ids: ids('agent'), log: silentLog, agent: 'agent-1' };
  return {
    time,
    service,
    terminal,
    broken,
    start: () => new QuickShop({ ...premises, createLocal: true }, terminal),
  };
}

it('a payment whose create was not answered before a restart is not run again as work of the service', async () => {
  const { time, service, terminal, broken, start } = beside();
  const shop = start();
  await time.advance(3000);
  service.spoil('answer_lost', 100, 'POST');
  shop.sell(1234, 'B-1');
  await time.advance(40_000);
  expect(service.payments.map(({ status }) => status)).toEqual(['requested']);
  shop.kill();
  service.mend();
  start();
  await time.advance(120_000);
  expect(terminal.charged).toBe(1);
  expect(service.payments.map(({ status }) => status)).toEqual(['succeeded']);
  expect(broken).toEqual([]);
});
