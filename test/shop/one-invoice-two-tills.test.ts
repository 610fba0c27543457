import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { taskMessage } from '../../src/api/render/terminal-task.ts';
import { silentLog } from '../../src/base/log.ts';
import { isFinal } from '../../src/payment/attempt/state-machine.ts';
import { zvtFamily } from '../simulation/families/zvt.ts';
import { Random, seededIds } from '../simulation/random.ts';
import { SimService } from '../simulation/service.ts';
import { PartClock, SimClock, Wall } from '../simulation/sim-clock.ts';
import { Trace } from '../simulation/trace.ts';
import { Agent } from './agent.ts';
import { Machine } from './machine.ts';
import { Place } from './place.ts';

const INVOICE = '0199c0de-0000-7000-8000-0000000000f1';
const HOUR_MS = 3_600_000;

/** Two tills at one service, each with a tilld of its own; the service knows nothing of the invoice but what it is told. */
function twoTills() {
  const folder = mkdtempSync(join(tmpdir(), 'tilld-two-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const time = new SimClock();
  const random = new Random(5, 'two tills');
  const places = [0, 1].map((index) => new Place(index, zvtFamily, time, random));
  const service = new SimService(
    {
      devices: places.map(({ device }) => ({ id: device.id, name: device.name })),
      honoursOurId: true,
      keepsMetadata: true,
      refusesUnknownFields: false,
      plan: 'growth',
    },
    {
      clock: new PartClock(time, new Wall()),
      ids: seededIds(random, { now: () => time.now }),
      random,
      trace: new Trace(time, false),
      fault: () => undefined,
      accuse: () => undefined,
    },
  );
  const tills = places.map((place, index) => {
    const [state, outside] = [join(folder, `till-${index}`), join(folder, `outside-${index}`)];
    for (const path of [state, outside]) mkdirSync(path);
    const machine = new Machine(`machine-${index}`, outside, time);
    const ids = seededIds(new Random(index + 1, 'ids'), { now: () => time.now });
    const parts = { name: `agent-${index}`, folder: state, machine, places: [place], service, ids };
    return { place, agent: new Agent({ ...parts, log: silentLog, heard: () => undefined }) };
  });
  onTestFinished(() => {
    for (const { agent } of tills) agent.stop();
  });
  const take = async ({ place, agent }: (typeof tills)[number], amountMinor: number) => {
    const { attempt } = agent.core.payments.create({
      deviceId: place.device.id,
      amount: { minor: amountMinor, currency: 'EUR' },
      invoiceId: INVOICE,
      reference: null,
      metadata: {},
      after: null,
      caller: 'socket',
    });
    for (let waited = 0; waited < 120 && !isFinal(agent.core.writer.require(attempt.id).state); waited += 1)
      await time.advance(1000);
    return agent.core.payments.get(attempt.id);
  };
  const tasksOf = ({ agent }: (typeof tills)[number]) =>
    agent.core.operations.tasks({ open: true, limit: 10 }).map((task) => {
      const view = task.attemptId === null ? null : agent.core.payments.get(task.attemptId);
      return { kind: task.kind, message: taskMessage(task, view) };
    });
  const explained = ({ agent: { core } }: (typeof tills)[number]) =>
    core.payments
      .list({ limit: 10 })
      .items.flatMap(({ attempt }) => core.payments.timeline(attempt.id).map(({ text }) => text));
  return { time, service, tills, take, tasksOf, explained };
}

describe('an invoice at two tills', () => {
  it('that both took without a line is reported twice, and a person is asked once, with the words for the customer', async () => {
    const { time, service, tills, take, tasksOf, explained } = twoTills();
    await time.advance(60_000);
    service.goOffline(HOUR_MS);
    await time.advance(60_000);
    for (const till of tills) {
      till.place.serve('approve');
      expect((await take(till, 5000)).charged).toBe('yes');
      expect(tasksOf(till).map(({ kind }) => kind)).toEqual(['invoice_unconfirmed']);
    }
    await time.advance(2 * HOUR_MS);
    const asked = tills.flatMap(tasksOf);
    expect(asked.map(({ kind }) => kind)).toEqual(['invoice_paid_twice']);
    expect(asked[0]?.message).toMatch(/paid twice.*Your invoice was charged twice/s);
    expect(service.payments.filter(({ status }) => status === 'succeeded')).toHaveLength(2);
    expect(tills.flatMap(explained)).toContainEqual(expect.stringContaining('invoice_paid_twice'));
    expect(tills.flatMap(explained)).toContainEqual(expect.stringContaining('could not be asked who else'));
  });

  it('is asked about also where both terminals have closed their day before the service could be asked', async () => {
    const { time, service, tills, take, tasksOf } = twoTills();
    await time.advance(60_000);
    service.goOffline(HOUR_MS);
    await time.advance(60_000);
    for (const till of tills) {
      till.place.serve('approve');
      expect((await take(till, 5000)).charged).toBe('yes');
      const { operations } = till.agent.core;
      const { id } = operations.endOfDay({ deviceId: till.place.device.id, caller: 'socket', force: null });
      await time.advance(120_000);
      expect(operations.settlement(id).status).toBe('succeeded');
    }
    await time.advance(2 * HOUR_MS);
    expect(tills.flatMap(tasksOf).map(({ kind }) => kind)).toEqual(['invoice_paid_twice']);
  });

  it('that one till took without a line is listed until the service has confirmed that nobody else did', async () => {
    const { time, service, tills, take, tasksOf } = twoTills();
    const [till] = tills;
    if (!till) throw new Error('no till');
    await time.advance(60_000);
    service.goOffline(HOUR_MS);
    await time.advance(60_000);
    till.place.serve('approve');
    await take(till, 5000);
    expect(tasksOf(till).map(({ kind }) => kind)).toEqual(['invoice_unconfirmed']);
    await time.advance(2 * HOUR_MS);
    expect(tasksOf(till)).toEqual([]);
  });

  it('is listed for a moment at most where the service could be asked', async () => {
    const { time, tills, take, tasksOf } = twoTills();
    const [till] = tills;
    if (!till) throw new Error('no till');
    await time.advance(60_000);
    till.place.serve('approve');
    expect((await take(till, 5000)).charged).toBe('yes');
    await time.advance(60_000);
    expect(tasksOf(till)).toEqual([]);
  });
});
