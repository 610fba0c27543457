import { setTimeout as pause } from 'node:timers/promises';
import type { Random } from '../../simulation/random.ts';
import { amountOf } from './basket.ts';
import type { Floor } from './floor.ts';
import { drawHabits } from './habits.ts';
import { isFinal } from './payment.ts';
import { type Ability, currencyOf, isAble, type LinkKind, manifestOf } from './protocols.ts';
import type { TillRequest } from './till.ts';
import { DEVICE_ID, type Traits } from './world.ts';

/** What happens in a shop while the daemon is killed: a few payments, played until they end or the daemon dies. */
export interface Scenario {
  readonly name: string;
  /** What it asks of the terminal, beside sales. */
  readonly needs?: readonly Ability[];
  /** The terminal cannot say what became of its last payment. */
  readonly reportsNothing?: boolean;
  /** What is special about the service. */
  readonly service?: Traits['service'];
  /** Commits after which a life ends whose successor has something to find out. */
  readonly leavesOpen: readonly string[];
  /** @throws NoAnswer when the daemon has died. */
  play(floor: Floor): Promise<void>;
}

/** The names of scenarios are part of what a seed says: new ones go to the end. */
export const SCENARIOS: readonly Scenario[] = [
  {
    name: 'sales',
    leavesOpen: ['sale dispatch', 'sale accepted', 'sale reported approved'],
    async play({ till, random, basket }) {
      await till.outcome(await till.sale(basket(), { key: true }));
      const keys = random.pick([['decline'], ['wrong_pin', 'approve'], ['abort'], ['approve']] as const);
      await till.outcome(await till.sale(basket({ keys }), { reference: true }));
      await till.outcome(
        await till.sale(basket({ keys: random.pick([['approve'], ['walk_away']] as const) })),
      );
    },
  },
  {
    name: 'giving back',
    needs: ['refund', 'void'],
    leavesOpen: ['refund accepted', 'void accepted', 'void reported approved'],
    async play({ till, random, basket }) {
      const sold = await till.sale(basket(), { key: true });
      if (!(await isPaid(till.outcome(sold)))) return;
      await till.outcome(await till.refund(sold, random.pick([0, 37]), { key: random.chance(0.7) }));
      const regretted = await till.sale(basket(), { reference: true });
      if (!(await isPaid(till.outcome(regretted)))) return;
      await till.outcome(await till.void(regretted, { key: random.chance(0.7) }));
    },
  },
  {
    name: 'cancels',
    leavesOpen: ['sale cancel', 'sale ended approved + create void'],
    async play({ till, random, basket }) {
      const first = await till.sale(basket({ delayMs: 600 }), { key: true });
      const waiting = await till.sale(basket(), { reference: true });
      await till.watch(first, (payment) => payment.status !== 'requested', 4000);
      await pause(random.time(20, 400));
      await till.cancel(random.pick([waiting, first]));
      await Promise.all([till.outcome(first), till.outcome(waiting)]);
      await lateCancel({ till, random, basket });
    },
  },
  {
    name: 'work from the service',
    leavesOpen: ['create sale + alias', 'sale accepted', 'result report sent'],
    async play(floor) {
      const { world, till, random, basket } = floor;
      const office = world.service.control;
      const first = basket();
      const sold = asksFor(floor, first);
      if (!(await serviceHas(floor, sold, 'succeeded'))) return;
      const part = { amount_minor: amountOf(first, 37) };
      if (random.chance(0.5)) office.requestBack(sold, 'refund', random.pick([{}, part]));
      else office.requestBack(sold, 'void', {});
      const other = asksFor(floor, basket({ delayMs: 500 }));
      await pause(random.time(50, 900));
      // Too late where it was charged meanwhile: then the office is told so.
      if (random.chance(0.6)) attempt(() => office.cancelPayment(other));
      await till.outcome(await till.sale(basket(), { key: true }));
    },
  },
  {
    name: 'end of day',
    needs: ['endOfDay'],
    leavesOpen: ['settlement requested', 'settlement in_progress'],
    async play({ till, world, basket }) {
      for (let day = 0; day < 2; day += 1) {
        await till.outcome(await till.sale(basket(), { key: true }));
        const open = world.terminal.snapshot().ledger.length;
        await till.endOfDay();
        await pause(open > 0 ? 500 : 100);
      }
    },
  },
  {
    name: 'other amounts',
    leavesOpen: ['sale reported approved', 'sale ended approved + create void'],
    async play({ till, random, basket, approveOf }) {
      const partly = basket();
      approveOf(partly, { amountMinor: amountOf(partly, 40) });
      await till.outcome(await till.sale(partly, { key: true }));
      await pause(random.time(20, 600));
      const more = basket();
      approveOf(more, { amountMinor: amountOf(more), ...(random.chance(0.5) ? { tipMinor: 50 } : {}) });
      await till.outcome(await till.sale(more, { reference: true, lessMinor: 50 }));
    },
  },
  {
    name: 'faults',
    leavesOpen: ['sale lost'],
    async play({ till, world, random, basket }) {
      const when = random.pick(['customer', 'result', 'result_acknowledged', 'completion'] as const);
      world.terminal.inject({ when, do: random.pick(['cut', 'silence', 'power_loss'] as const), ms: 700 });
      await ended(till, await till.sale(basket(), { key: true }));
      world.terminal.spoilNextEnd(random.pick(['kept', 'reversed'] as const));
      await ended(till, await till.sale(basket(), { reference: true }));
    },
  },
  {
    name: 'a terminal that reports nothing',
    leavesOpen: ['sale accepted', 'sale released'],
    reportsNothing: true,
    async play({ till, world, random, basket }) {
      await till.outcome(await till.sale(basket(), { key: true }));
      world.terminal.inject({ when: random.pick(['result', 'result_acknowledged'] as const), do: 'cut' });
      await ended(till, await till.sale(basket(), { key: true }), 1500);
      await till.outcome(await till.sale(basket(), { reference: true }), 1500);
    },
  },
  {
    name: 'a service in trouble',
    leavesOpen: ['create report sent', 'sale accepted', 'result report sent'],
    service: { honoursOurId: false },
    async play({ till, world, random, basket }) {
      const { control } = world.service;
      control.behave({ answer_lost: { times: random.int(1, 2) } });
      await till.outcome(await till.sale(basket(), { key: true }));
      control.behave({ status: { code: random.pick([500, 503, 429] as const), times: 2, retry_after_s: 1 } });
      await till.outcome(await till.sale(basket(), { reference: true }));
      await pause(random.time(100, 1200));
    },
  },
  {
    name: 'voids',
    needs: ['void'],
    leavesOpen: ['void accepted', 'void reported approved', 'void lost'],
    async play({ till, random, basket }) {
      const first = await till.sale(basket(), { reference: true });
      if (!(await isPaid(till.outcome(first)))) return;
      await till.outcome(await till.void(first, { key: random.chance(0.7) }));
      const second = await till.sale(basket(), { key: true });
      if (!(await isPaid(till.outcome(second)))) return;
      await till.outcome(await till.void(second, { key: random.chance(0.7) }));
    },
  },
];

/** The places in `SCENARIOS` of those that terminals of this protocol can be asked for; the others are left out. */
export function scenariosOf(protocol: string): readonly number[] {
  const { capabilities } = manifestOf(protocol);
  return SCENARIOS.flatMap(({ needs = [] }, scenario) =>
    needs.every((ability) => isAble(capabilities, ability)) ? [scenario] : [],
  );
}

/** The customer has shown the card, and the terminal speaks with the host, when the cancel comes: too late for the terminal. */
async function lateCancel({
  till,
  random,
  basket,
}: Pick<Floor, 'till' | 'random' | 'basket'>): Promise<void> {
  const late = await till.sale(basket({ delayMs: 150 }), { key: true });
  await till.watch(late, (payment) => payment.status !== 'requested', 4000);
  await pause(random.int(150, 260));
  await till.cancel(late);
  await till.outcome(late);
  await pause(300);
}

/** Waits until recovery, too, has come to its end. */
async function ended(till: Floor['till'], request: TillRequest, limitMs = 9000): Promise<void> {
  await till.watch(request, (payment) => isFinal(payment) || payment.needs_person, limitMs);
}

async function isPaid(outcome: ReturnType<Floor['till']['outcome']>): Promise<boolean> {
  return (await outcome)?.status === 'succeeded';
}

/** The merchant's back office wants a basket paid; gives the service's id of it. */
function asksFor({ world, officeBaskets }: Floor, basket: number): string {
  officeBaskets.push(basket);
  const work = {
    device_id: DEVICE_ID,
    amount_minor: amountOf(basket),
    currency: currencyOf(world.terminal.snapshot().protocol),
  };
  return idOf(world.service.control.requestPayment(work));
}

/** The daemon has reported it to the service; asked for at the service itself, and at the till whether the daemon lives. */
async function serviceHas({ world, till }: Floor, id: string, status: string): Promise<boolean> {
  const end = performance.now() + 6000;
  while (performance.now() < end) {
    const { control } = world.service;
    if (control.ledger().some((line) => line['id'] === id && line['status'] === status)) return true;
    await till.list();
    await pause(60);
  }
  return false;
}

function idOf(answer: unknown): string {
  const { data, id = Reflect.get(Object(data), 'id') }: { data?: unknown; id?: unknown } = Object(answer);
  if (typeof id !== 'string') throw new Error('the service names no payment');
  return id;
}

function attempt(work: () => unknown): void {
  try {
    work();
  } catch {
    return;
  }
}

/** What terminal and service of a round are like. A service that refuses fields that it does not know must know our id. */
export function drawTraits(
  random: Random,
  { protocol, link }: { readonly protocol: string; readonly link: LinkKind },
  { needs = [], reportsNothing = false, service = {} }: Scenario,
): Traits {
  const honoursOurId = service.honoursOurId ?? random.chance(0.8);
  const refusesUnknownFields = honoursOurId && random.chance(0.6);
  return {
    protocol,
    link,
    ...drawHabits(protocol, random, { link, needs, reportsNothing }),
    partialApproval: random.pick(['void', 'keep'] as const),
    service: { honoursOurId, keepsMetadata: true, refusesUnknownFields },
  };
}
