import { z } from 'zod';
import type { Attempt } from '../../src/payment/attempt/attempt.ts';
import { isFinal } from '../../src/payment/attempt/state-machine.ts';
import type { LocalReply, Till } from './agent.ts';
import type { TillRequest } from './case-file.ts';
import type { Random } from './random.ts';
import { asksForComparison, comparisonIn } from './restored-database.ts';
import type { SimTerminal } from './terminal.ts';
import type { Place, World } from './world.ts';

const AMOUNTS = [100, 990, 1234, 1999, 4500, 12_000] as const;
/** Reasons of a doubt that no terminal can end. */
const NOT_AT_THE_TERMINAL = ['terminal_replaced', 'terminal_not_believed'];

/** A walk-in sale without key and reference is recognised for 30 s after it was paid; the cashier keeps well inside. */
const WALK_IN_MS = 20_000;

const Created = z.object({ data: z.object({ id: z.string() }) });

/** One customer at one till: what was rung up, and under which names. */
interface Sale extends TillRequest {
  readonly till: Till;
  readonly place: Place;
  readonly body: Readonly<Record<string, unknown>>;
  /** Walk-in: neither key nor reference nor invoice. */
  readonly isWalkIn: boolean;
  key: string | undefined;
  jumps: number;
  /** Somebody compared it with the terminal and found it paid. */
  isSeenPaid: boolean;
}

/**
 * The people at the counter: they ring up, press twice, stop waiting, press cancel, try again after a no, and look at the
 * terminal when they are asked. They never lie; they never pass by a guard on purpose.
 */
export class Cashiers {
  readonly #world: World;
  readonly #random: Random;
  #customers = 0;
  #keys = 0;
  readonly #asked = new Set<string>();
  readonly #sales: Sale[] = [];

  constructor(world: World, random: Random) {
    this.#world = world;
    this.#random = random;
  }

  /** A customer comes; now and then two at two tills at once. */
  serve(): void {
    const random = this.#random;
    const place = random.pick(this.#world.places);
    const sale = this.#ringUp(place, random.pick(['socket', 'till-2'] as const));
    if (random.chance(0.01)) this.#agreeOtherwise(place, Number(sale.body['amount_minor']));
    this.#press(sale);
    if (random.chance(0.25)) this.#later(random.time(1, 1500), () => this.#press(sale));
    if (random.chance(0.12)) this.#press(this.#ringUp(place, sale.till === 'socket' ? 'till-2' : 'socket'));
    if (random.chance(0.15)) this.#later(random.time(1000, 90_000), () => this.#press(sale));
    if (random.chance(0.2)) this.#later(random.time(5, 20_000), () => this.#cancel(sale));
    this.#later(random.time(3000, 60_000), () => this.#tryAgain(sale, 2));
  }

  /** The back office asks for a payment at the service. */
  askThroughService(): void {
    const random = this.#random;
    const { device } = random.pick(this.#world.places);
    const stale = random.chance(0.15) ? { created_ago_ms: random.int(200_000, 900_000) } : {};
    const reference = random.chance(0.5) ? { reference: `SRV-${this.#customers++}` } : {};
    const body = {
      device_id: device.id,
      amount_minor: random.pick(AMOUNTS),
      currency: device.currency,
      ...stale,
      ...reference,
    };
    const byAnother = random.chance(0.3) ? random.time(1, 6000) : null;
    this.#world.trace.say(
      'service',
      () => `wants ${JSON.stringify(body)}${byAnother === null ? '' : ', another agent wants it'}`,
    );
    this.#world.service.ask(body, byAnother).catch((error: unknown) => this.#wrong('the back office', error));
    if (random.chance(0.5)) this.#world.agent?.notify();
  }

  /** Who is asked goes and looks, and says what the terminal shows. */
  lookAtDoubts(): void {
    for (const attempt of this.#world.books.open()) {
      const doubt = `${attempt.id} ${this.#world.books.doubtedAt(attempt.id)}`;
      if (!attempt.needsPerson || this.#asked.has(doubt)) continue;
      this.#asked.add(doubt);
      this.#later(this.#random.time(5000, 240_000), () => this.#look(attempt.id));
    }
  }

  /** The card has not enough on it, or the customer adds a tip, or takes cash; or it is charged more, and nobody says why. */
  #agreeOtherwise({ terminal }: Place, asked: number): void {
    const random = this.#random;
    const more = random.pick([50, 100, 500]);
    const [amount, added] = random.pick([
      [Math.max(1, asked >> 1), {}],
      [Math.max(1, asked - 10), {}],
      [asked + more, { tipMinor: more }],
      [asked + more, { cashbackMinor: more }],
      [asked + more, {}],
    ] as const);
    terminal.nextAmount(amount, added);
  }

  /** A card is in the terminal, and somebody presses cancel just then. */
  cardShown(terminal: SimTerminal): void {
    const random = this.#random;
    if (!random.chance(0.08)) return;
    const id = terminal.startedBy;
    this.#later(random.int(0, 1500), () => {
      if (id !== null) this.#cancelOf('somebody', id);
    });
  }

  #ringUp(place: Place, till: Till): Sale {
    const random = this.#random;
    const number = this.#customers++;
    const kind = random.pick(['reference', 'reference', 'key', 'both', 'invoice', 'walk-in'] as const);
    const body = {
      device_id: place.device.id,
      amount_minor: random.pick(AMOUNTS),
      currency: place.device.currency,
      ...(kind === 'reference' || kind === 'both' ? { reference: `SALE-${number}` } : {}),
      ...(kind === 'invoice'
        ? { invoice_id: `0199c0de-0000-7000-8000-${String(number).padStart(12, '0')}` }
        : {}),
    };
    const withKey = kind === 'key' || kind === 'both';
    const sale: Sale = {
      name: `B${number} (${kind})`,
      attempts: new Set(),
      once: 'sale',
      till,
      place,
      body,
      isWalkIn: kind === 'walk-in' || kind === 'key',
      key: withKey ? `key-${this.#keys++}` : undefined,
      jumps: this.#world.jumps,
      isSeenPaid: false,
    };
    this.#sales.push(sale);
    return sale;
  }

  /** The memory is lost: all baskets of the place that is named are compared with what its terminal shows, and then the task is done. */
  #compare(reply: LocalReply): void {
    const { agent, books, places, trace } = this.#world;
    const { taskId, deviceId } = comparisonIn(reply) ?? {};
    const place = places.find(({ device }) => device.id === deviceId);
    if (!agent || taskId === undefined || this.#asked.has(taskId) || !place?.terminal.isWell) return;
    this.#asked.add(taskId);
    this.#later(this.#random.time(2000, 60_000), () => {
      trace.say('person', () => `compares the baskets of ${place.device.name}`);
      for (const sale of this.#sales) if (sale.place === place && books.isPaid(sale)) sale.isSeenPaid = true;
      const done = { by: 'Kim', note: 'compared with the receipts' };
      const finish = () =>
        this.#world.agent
          ?.ask('socket', 'POST', `/terminal-tasks/${taskId}/done`, done)
          .then((answer) => {
            if (answer === null || answer.status >= 500) this.#asked.delete(taskId);
          })
          .catch((error: unknown) => this.#wrong('who compares', error));
      void finish();
    });
  }

  #press(sale: Sale): void {
    const { agent, trace } = this.#world;
    if (sale.isSeenPaid || this.#isCorrected(sale)) return;
    if (!agent || (sale.isWalkIn && sale.key === undefined && !this.#isSafe(sale))) return;
    trace.say('till', () => `${sale.till} presses pay for ${sale.name}: ${JSON.stringify(sale.body)}`);
    agent
      .ask(sale.till, 'POST', '/terminal-payments', sale.body, sale.key)
      .then((reply) => this.#heard(sale, reply))
      .catch((error: unknown) => this.#wrong(sale.name, error));
  }

  #heard(sale: Sale, reply: LocalReply): void {
    const { books, trace } = this.#world;
    trace.say(
      'till',
      () =>
        `${sale.name} hears ${reply === null ? 'nothing' : `${reply.status} ${JSON.stringify(reply.body).slice(0, 160)}`}`,
    );
    if (reply?.status === 500) books.accuse('broken_rules', `${sale.name} was answered with 500`);
    if (asksForComparison(reply)) this.#compare(reply);
    const created = reply?.status === 201 ? Created.safeParse(reply.body) : null;
    if (created?.success) books.belongs(created.data.data.id, sale);
  }

  #cancel(sale: Sale): void {
    const id = [...sale.attempts].at(-1);
    if (id !== undefined) this.#cancelOf(sale.till, id);
  }

  #cancelOf(who: string, id: string): void {
    const { agent, books, trace } = this.#world;
    if (!agent) return;
    const name = books.nameOf(id);
    trace.say('till', () => `${who} presses cancel for ${name}`);
    agent
      .ask('socket', 'POST', `/terminal-payments/${id}/cancel`)
      .then((reply) => trace.say('till', () => `cancel of ${name} hears ${reply?.status ?? 'nothing'}`))
      .catch((error: unknown) => this.#wrong(`cancel of ${name}`, error));
  }

  /** After a no the customer may try another card: with a new key, or none. After silence the same button is pressed again. */
  #tryAgain(sale: Sale, times: number): void {
    const { books } = this.#world;
    const last = books.attempts.get([...sale.attempts].at(-1) ?? '');
    if (last && isFinal(last.state) && last.state.name !== 'succeeded' && sale.key !== undefined) {
      sale.key = `key-${this.#keys++}`;
      sale.jumps = this.#world.jumps;
    }
    if (last?.state.name !== 'succeeded' || this.#random.chance(0.3)) this.#press(sale);
    if (times > 0) this.#later(this.#random.time(3000, 90_000), () => this.#tryAgain(sale, times - 1));
  }

  /** The agent has said that it was paid after all: nobody presses pay for it again. */
  #isCorrected({ attempts }: Sale): boolean {
    return [...attempts].some((id) => this.#world.books.correctionOf(id)?.type === 'sale');
  }

  /** Whether the agent promises to recognise a walk-in sale that is pressed again. */
  #isSafe(sale: Sale): boolean {
    const { books, time, jumps } = this.#world;
    if (sale.jumps !== jumps) return false;
    return [...sale.attempts].every((id) => {
      const attempt = books.attempts.get(id);
      if (attempt?.state.name !== 'succeeded') return true;
      return time.now + this.#world.wall.skewMs - (attempt.completedAt ?? 0) < WALK_IN_MS;
    });
  }

  /** A person waits until the terminal is idle; an impatient one says "not charged" too early, and must not be believed. */
  #look(id: string): void {
    const { books, agent, places, trace } = this.#world;
    const attempt = books.attempts.get(id);
    const place = places.find(({ device }) => device.id === attempt?.deviceId);
    if (!attempt || !place || isFinal(attempt.state)) {
      // A database that is set back may ask again.
      this.#asked.delete(id);
      return;
    }
    const again = () => this.#later(this.#random.time(5000, 60_000), () => this.#look(id));
    if (!agent || place.terminal !== place.home || !place.terminal.isWell) {
      again();
      return;
    }
    const charged = books.hasMoved(id);
    const words = { by: 'Kim', reason: 'looked at the terminal', shown: charged ? 'receipt 1' : 'nothing' };
    trace.say('person', () => `says of ${books.nameOf(id)}: ${charged ? 'charged' : 'not charged'}`);
    agent
      .ask('socket', 'POST', `/terminal-payments/${id}/resolve`, {
        as: charged ? 'succeeded' : 'not_charged',
        ...words,
        // What a terminal that was replaced has done stands in the journal that its acquirer keeps.
        ...(NOT_AT_THE_TERMINAL.includes(attempt.reason?.code ?? '') || isLeftUnsettled(attempt)
          ? { source: 'terminal_journal' }
          : {}),
        ...(charged ? { amount_minor: books.movedMinor(id) } : {}),
      })
      .then((reply) => {
        if (reply?.status === 200) this.#asked.delete(id);
        else again();
      })
      .catch((error: unknown) => this.#wrong('a person', error));
  }

  #later(ms: number, then: () => void): void {
    this.#world.time.at(ms, then);
  }

  #wrong(who: string, error: unknown): void {
    if (this.#world.agent) this.#world.books.accuse('broken_rules', `${who}: ${String(error)}`);
  }
}

/** Its terminal was never idle for long enough while it was asked, and is not asked again: a lead reads the terminal's journal. */
function isLeftUnsettled({ releasedAt, settledAt }: Attempt): boolean {
  return releasedAt !== null && settledAt === null;
}
