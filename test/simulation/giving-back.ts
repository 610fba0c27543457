import { z } from 'zod';
import type { Attempt } from '../../src/payment/attempt/attempt.ts';
import { isFinal } from '../../src/payment/attempt/state-machine.ts';
import type { LocalReply, Till } from './agent.ts';
import type { TillRequest } from './case-file.ts';
import type { Random } from './random.ts';
import type { World } from './world.ts';

/** The same sum of the same sale is recognised for 60 s after it was given back; the cashier keeps well inside. */
const SAME_SUM_MS = 45_000;
const Created = z.object({ data: z.object({ id: z.string() }) });

/** Money of a sale that is to go back, and under which names. */
interface Return extends TillRequest {
  readonly till: Till;
  readonly saleId: string;
  readonly path: 'refund' | 'void';
  readonly amountMinor: number | null;
  key: string | undefined;
  jumps: number;
}

/**
 * The people at the counter when money goes back: the whole sum or a part, several parts, too much, twice, of a sale that is in doubt
 * or was never charged, at two tills at once. They never press what the agent does not promise to recognise, and they look at the
 * receipts: what was undone at the terminal itself is not given back once more.
 */
export class ReturnsCounter {
  readonly #world: World;
  readonly #random: Random;
  /** At which till each refund and void was accepted: keys belong to their till. */
  readonly #acceptedAt = new Map<string, Return['till']>();
  #returns = 0;
  #keys = 0;

  constructor(world: World, random: Random) {
    this.#world = world;
    this.#random = random;
  }

  /** Somebody wants money back. */
  serve(): void {
    const random = this.#random;
    const sale = this.#pick();
    if (!sale) return;
    const request = this.#returnOf(sale);
    this.#press(request);
    if (random.chance(0.3)) this.#later(random.time(1, 1500), () => this.#press(request));
    if (random.chance(0.2))
      this.#press({ ...request, till: request.till === 'socket' ? 'till-2' : 'socket' });
    if (random.chance(0.2)) this.#press(this.#returnOf(sale));
    if (random.chance(0.15)) this.#later(random.time(1000, 90_000), () => this.#press(request));
    if (random.chance(0.15)) this.#later(random.time(5, 20_000), () => this.#cancel(request));
    this.#later(random.time(3000, 60_000), () => this.#tryAgain(request, 1));
  }

  /** Mostly a young sale that was charged; now and then any other one. */
  #pick(): Attempt | undefined {
    const { books } = this.#world;
    const sales = [...books.attempts.values()].filter(({ type }) => type === 'sale');
    const charged = sales.filter(({ id, state }) => state.name === 'succeeded' && !this.#isUndone(id));
    const from =
      this.#random.chance(0.85) && charged.length > 0
        ? charged
        : sales.filter(({ id }) => !this.#isUndone(id));
    if (from.length === 0) return undefined;
    return this.#random.chance(0.5) ? from.at(-1) : this.#random.pick(from);
  }

  /** Its charge was undone at the terminal itself, or by the void of another sale: the receipts show it. */
  #isUndone(saleId: string): boolean {
    const { attempts, charges } = this.#world.books;
    return charges.movedBy(saleId).some((charge) => {
      const undoer = charges.undoerOf(charge);
      return undoer !== undefined && attempts.get(undoer.causedBy ?? '')?.parentId !== saleId;
    });
  }

  #returnOf({ id, amount }: Attempt): Return {
    const random = this.#random;
    const number = this.#returns++;
    const isVoid = random.chance(0.4);
    const part = random.pick([
      null,
      null,
      1,
      Math.max(1, amount.minor >> 1),
      amount.minor,
      amount.minor + 100,
    ]);
    const amountMinor = isVoid ? null : part;
    return {
      name: `R${number} (${isVoid ? 'void' : (amountMinor ?? 'rest')})`,
      attempts: new Set(),
      once: amountMinor === null ? 'any' : 'refund',
      till: random.pick(['socket', 'till-2'] as const),
      saleId: id,
      path: isVoid ? 'void' : 'refund',
      amountMinor,
      key: random.chance(0.5) ? `back-${this.#keys++}` : undefined,
      jumps: this.#world.jumps,
    };
  }

  #press(request: Return): void {
    const { agent, trace, books } = this.#world;
    if (!agent || this.#isUndone(request.saleId) || (!this.#isKeyed(request) && !this.#isSafe(request)))
      return;
    const body =
      request.path === 'void'
        ? undefined
        : request.amountMinor === null
          ? {}
          : { amount_minor: request.amountMinor };
    trace.say('till', () => `${request.till} presses ${request.name} of ${books.nameOf(request.saleId)}`);
    agent
      .ask(request.till, 'POST', `/terminal-payments/${request.saleId}/${request.path}`, body, request.key)
      .then((reply) => this.#heard(request, reply))
      .catch((error: unknown) => this.#wrong(request.name, error));
  }

  #heard(request: Return, reply: LocalReply): void {
    const { books, trace } = this.#world;
    trace.say(
      'till',
      () =>
        `${request.name} hears ${reply === null ? 'nothing' : `${reply.status} ${JSON.stringify(reply.body).slice(0, 160)}`}`,
    );
    if (reply?.status === 500) books.accuse('broken_rules', `${request.name} was answered with 500`);
    const created = reply?.status === 201 ? Created.safeParse(reply.body) : null;
    if (!created?.success) return;
    const { id } = created.data.data;
    if (!this.#acceptedAt.has(id)) this.#acceptedAt.set(id, request.till);
    books.belongs(id, request);
  }

  #cancel(request: Return): void {
    const id = [...request.attempts].at(-1);
    const { agent, books, trace } = this.#world;
    if (!agent || id === undefined) return;
    trace.say('till', () => `${request.till} presses cancel for ${books.nameOf(id)}`);
    agent
      .ask(request.till, 'POST', `/terminal-payments/${id}/cancel`)
      .catch((error: unknown) => this.#wrong(request.name, error));
  }

  #tryAgain(request: Return, times: number): void {
    const { books } = this.#world;
    const last = books.attempts.get([...request.attempts].at(-1) ?? '');
    if (last && isFinal(last.state) && last.state.name !== 'succeeded' && request.key !== undefined) {
      request.key = `back-${this.#keys++}`;
      request.jumps = this.#world.jumps;
    }
    if (last?.state.name !== 'succeeded' || this.#random.chance(0.3)) this.#press(request);
    if (times > 0) this.#later(this.#random.time(3000, 90_000), () => this.#tryAgain(request, times - 1));
  }

  /** What was accepted was accepted at this till, under this key or an earlier one. */
  #isKeyed({ key, attempts, till }: Return): boolean {
    return key !== undefined && [...attempts].every((id) => this.#acceptedAt.get(id) === till);
  }

  /** Whether the agent promises to recognise what is pressed again without a key. */
  #isSafe(request: Return): boolean {
    const { books, time, jumps, wall } = this.#world;
    if (request.once === 'any') return true;
    if (request.jumps !== jumps) return false;
    return [...request.attempts].every((id) => {
      const attempt = books.attempts.get(id);
      if (attempt?.state.name !== 'succeeded') return true;
      return time.now + wall.skewMs - (attempt.completedAt ?? 0) < SAME_SUM_MS;
    });
  }

  #later(ms: number, then: () => void): void {
    this.#world.time.at(ms, then);
  }

  #wrong(who: string, error: unknown): void {
    if (this.#world.agent) this.#world.books.accuse('broken_rules', `${who}: ${String(error)}`);
  }
}
