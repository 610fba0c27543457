import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import type { LedgerEntry } from '../../../src/sandbox/controllable-terminal.ts';
import { type Answer, ask, NoAnswer, type Question } from './ask.ts';
import { basketOf } from './basket.ts';
import { isFinal, type Payment, paymentsOf } from './payment.ts';
import type { TimeLimit } from './time-limit.ts';
import type { World } from './world.ts';

const LOOK_MS = 80;

const Status = z.object({
  data: z.object({
    terminals: z.array(z.object({ status: z.string() })),
    outbox: z.object({ pending: z.int(), parked: z.int() }),
  }),
});
const Tasks = z.object({ data: z.array(z.object({ id: z.string(), kind: z.string() })) });
const Created = z.object({ data: z.object({ key: z.string() }) });

/** What is still missing to rest; empty when nothing is. */
export type Unrest = readonly string[];

/** The daemon answered, and not with what was asked for. */
class Refused extends Error {}

/** The people of the shop: they see the daemon over its socket, and the receipts of the terminal. */
export class Staff {
  readonly #world: World;
  /** Payments whose outcome a person had to tell. */
  readonly asked = new Set<string>();

  constructor(world: World) {
    this.#world = world;
  }

  /** Makes an API key for the till. @throws NoAnswer */
  async apiKey(): Promise<string> {
    const scopes = ['payments:read', 'payments:write', 'webhooks:read'];
    const { status, body } = await this.#ask('POST', '/keys', { name: 'till', scopes });
    if (status !== 201) throw new NoAnswer(`no key is made: ${status} ${JSON.stringify(body)}`);
    return Created.parse(body).data.key;
  }

  /**
   * Answers what a person is asked, until everything is at rest: payments ended, terminal ready, nothing pending for the service. Gives what is
   * missing after the limit. @throws NoAnswer
   */
  async bringToRest(isOver: TimeLimit): Promise<Unrest> {
    for (;;) {
      const unrest = await this.#lookOrSay();
      if (unrest.length === 0 || isOver()) return unrest;
      await pause(LOOK_MS);
    }
  }

  /** A refusal is no rest, and no reason to look away. */
  async #lookOrSay(): Promise<Unrest> {
    try {
      return await this.#look();
    } catch (error) {
      if (error instanceof Refused) return [error.message];
      throw error;
    }
  }

  async #look(): Promise<Unrest> {
    const payments = paymentsOf(await this.#read('/terminal-payments?limit=100'));
    for (const payment of payments) {
      if (payment.in_doubt && payment.needs_person) await this.#decide(payment, payments);
    }
    await this.#finishTasks();
    const { terminals, outbox } = Status.parse(await this.#read('/status')).data;
    return [
      ...payments.filter((one) => !isFinal(one)).map(({ id, status }) => `payment ${id} is ${status}`),
      ...terminals
        .filter(({ status }) => status !== 'ready')
        .map(({ status }) => `the terminal is ${status}`),
      ...(outbox.pending > 0 ? [`${outbox.pending} reports are pending`] : []),
    ];
  }

  /** Reads the receipts: what the terminal has charged and the books do not have yet is this payment's. */
  async #decide(payment: Payment, payments: readonly Payment[]): Promise<void> {
    const { busy, ledger } = this.#world.terminal.snapshot();
    if (busy) return;
    this.asked.add(payment.id);
    const known = payments.filter((other) => isSameAsked(payment, other) && other.charged === 'yes').length;
    const line = ledger.filter((entry) => isOf(payment, entry) && hasMoved(entry, ledger))[known];
    const shown = line ? `receipt ${line.receiptNumber}` : 'no receipt of it';
    const decision = {
      as: line ? 'succeeded' : 'not_charged',
      by: 'Lee',
      reason: 'compared the receipts',
      shown,
      ...(line ? { amount_minor: line.amountMinor } : {}),
    };
    await this.#ask('POST', `/terminal-payments/${payment.id}/resolve`, decision);
  }

  async #finishTasks(): Promise<void> {
    const { data } = Tasks.parse(await this.#read('/terminal-tasks?open=true&limit=100'));
    for (const { id } of data)
      await this.#ask('POST', `/terminal-tasks/${id}/done`, { by: 'Lee', note: 'looked at it' });
  }

  /** @throws Refused, NoAnswer */
  async #read(path: string): Promise<unknown> {
    const { status, body } = await this.#ask('GET', path);
    if (status === 200) return body;
    throw new Refused(`GET ${path} is answered with ${status}: ${JSON.stringify(body)}`);
  }

  #ask(method: Question['method'], path: string, body?: object): Promise<Answer> {
    const at = { socket: `${this.#world.stateDir}/tilld.sock` };
    return ask({ at, method, path, ...(body === undefined ? {} : { body }) });
  }
}

function isSameAsked(one: Payment, other: Payment): boolean {
  return one.type === other.type && basketOf(one.amount_minor) === basketOf(other.amount_minor);
}

function isOf(payment: Payment, entry: LedgerEntry): boolean {
  return entry.kind === payment.type && basketOf(entry.amountMinor) === basketOf(payment.amount_minor);
}

/** Approved, and not taken back by the terminal itself; what a void undid had moved all the same. */
export function hasMoved(entry: LedgerEntry, ledger: readonly LedgerEntry[]): boolean {
  if (entry.result !== 'approved') return false;
  const isUndone = (other: LedgerEntry) =>
    other.undoes === entry.sequence && other.result === 'approved' && !other.reversed;
  return !entry.reversed || ledger.some(isUndone);
}
