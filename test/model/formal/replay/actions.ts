import { AppError } from '../../../../src/base/errors.ts';
import { isFinal } from '../../../../src/payment/attempt/state-machine.ts';
import type { Decision } from '../../../../src/payment/payments.ts';
import { DEVICE } from './agent-run.ts';
import type { RefinementName } from './compare.ts';
import { AMOUNT, type ReplayedShop } from './shop.ts';
import type { Step } from './trace.ts';
import { ASKS } from './trace-maker.ts';

/** What became of a step. `stop`: the core was more careful before, so that the rest of this run cannot be made to happen. */
export type Done =
  | { readonly kind: 'done'; readonly rows?: readonly RefinementName[] }
  | { readonly kind: 'stop'; readonly why: string };

const DONE: Done = { kind: 'done' };

/** A person must wait 15 minutes where the terminal is gone, and a crash forgets ten at most. */
const SETTLE_MINUTES = 26;
/** What a recovery may take that needs no settle time, with reconnecting; and one that does. */
const SOON_MS = 30_000;
const LATER_MS = 300_000;
const MEETING_MS = 10_000;
const THREE_DAYS_MS = 3 * 86_400_000;

const LEAD = { by: 'Ada', reason: 'compared the receipts', shown: 'its receipt', lead: true } as const;

/** Makes one step of the model happen around the real core, or waits until the core has done it by itself. */
export async function perform(shop: ReplayedShop, step: Step): Promise<Done> {
  const { of } = step;
  switch (step.name) {
    case 'sell':
      return sell(shop, of);
    case 'dispatched':
      return dispatched(shop, of);
    case 'sent':
      shop.noteCommand(of);
      return waited(await shop.letGo('result_held', () => shop.here.busy, SOON_MS), 'not sent');
    case 'pays':
      return pays(shop, of);
    case 'declines':
      shop.terminalOf(of).decline();
      await shop.rest();
      return DONE;
    case 'approval_heard':
      return waited(
        await shop.letGo('answer_held', () => stateOf(shop, of) === 'approved', SOON_MS),
        'not heard',
      );
    case 'acknowledged':
      return waited(
        await shop.letGo('result_held', () => shop.gate.holdsForAgent, SOON_MS),
        'not acknowledged',
      );
    case 'ended_paid':
    case 'ended_declined':
      shop.terminalOf(of).dialogueEnds();
      await shop.with('answers', () => isEnded(shop, of), SOON_MS);
      return DONE;
    case 'keeps':
    case 'ends_alone':
    case 'reverses':
      shop.terminalOf(of).goOnAlone(step.name === 'reverses' ? 'reverse' : 'keep');
      await shop.rest();
      return DONE;
    case 'expired':
      await shop.with('questions', () => shop.view(of) === null || isEnded(shop, of), LATER_MS);
      return DONE;
    case 'recovered_yes':
      return recovered(shop, of, 'succeeded', SOON_MS);
    case 'recovered_reversed':
    case 'recovered_no':
      return recovered(shop, of, 'not_charged', LATER_MS);
    case 'released':
      await shop.with('questions', () => shop.view(of)?.attempt.releasedAt !== null, LATER_MS);
      return DONE;
    case 'corrected_yes':
    case 'corrected_no':
      return corrected(shop, of, step.name === 'corrected_yes' ? 'yes' : 'no');
    case 'person_yes':
    case 'person_false_yes':
      return decide(shop, of, 'succeeded');
    case 'person_no':
    case 'person_false_no':
      return decide(shop, of, 'not_charged');
    case 'person_off':
      return decide(shop, of, 'written_off');
    case 'basket_open':
    case 'basket_false_open':
      return compareBaskets(shop);
    case 'settle_time':
      await shop.pass(SETTLE_MINUTES);
      return DONE;
    case 'crash':
      shop.crash();
      await shop.rest();
      return DONE;
    case 'starts':
      shop.start();
      await shop.rest();
      return DONE;
    case 'link_lost':
      shop.cut();
      await shop.rest();
      return DONE;
    case 'exchange':
      shop.cut();
      shop.at = of;
      await shop.rest();
      return DONE;
    case 'adopts':
      return adopt(shop);
    case 'closes':
      return close(shop, of);
    case 'clock_step':
      shop.wall.skewMs += THREE_DAYS_MS;
      return DONE;
    case 'copy':
      shop.copyDatabase();
      return DONE;
    case 'restore':
      shop.restoreDatabase();
      return DONE;
  }
}

/** The code of the refusal; null: it was taken. */
export function tryToSell(
  shop: ReplayedShop,
  attempt: number,
): { readonly id: string } | { readonly refused: string } {
  try {
    const { attempt: created } = shop.running.core.payments.create({
      deviceId: DEVICE.id,
      amount: AMOUNT,
      invoiceId: null,
      reference: `SALE-${attempt < ASKS ? 0 : 1}`,
      metadata: {},
      after: null,
      caller: 'socket',
    });
    return { id: created.id };
  } catch (error) {
    if (error instanceof AppError) return { refused: error.code };
    throw error;
  }
}

/** The agent has met its terminal where it can: the core refuses a sale for one that it has not heard of yet. */
async function sell(shop: ReplayedShop, attempt: number): Promise<Done> {
  const status = () => shop.running.core.queues.get(DEVICE.id)?.status;
  if (status() === 'offline') await shop.with('questions', () => status() !== 'offline', MEETING_MS);
  const answer = tryToSell(shop, attempt);
  if ('id' in answer) shop.ids.set(attempt, answer.id);
  else shop.refused.set(attempt, answer.refused);
  return DONE;
}

async function dispatched(shop: ReplayedShop, attempt: number): Promise<Done> {
  const refused = shop.refused.get(attempt);
  if (refused !== undefined) return { kind: 'stop', why: `refused: ${refused.toLowerCase()}` };
  await shop.with('questions', () => (stateOf(shop, attempt) ?? 'requested') !== 'requested', SOON_MS);
  const view = shop.view(attempt);
  if (view !== null && isFinal(view.attempt.state) && view.charged === 'no')
    return { kind: 'stop', why: `not sent: ${view.attempt.reason?.code ?? 'unknown'}` };
  return DONE;
}

async function pays(shop: ReplayedShop, attempt: number): Promise<Done> {
  const terminal = shop.terminalOf(attempt);
  const lines = terminal.ledger.length;
  terminal.pay();
  for (let turn = 0; turn < 20 && terminal.ledger.length === lines; turn += 1) await shop.rest();
  shop.noteCharge(attempt);
  return DONE;
}

/** Where the core asks a person instead, the person says what the machine of the model says, which is true. */
async function recovered(
  shop: ReplayedShop,
  attempt: number,
  as: 'succeeded' | 'not_charged',
  limitMs: number,
): Promise<Done> {
  const isDone = () => isEnded(shop, attempt) || shop.view(attempt)?.attempt.releasedAt != null;
  await shop.with('questions', isDone, limitMs);
  if (shop.view(attempt)?.attempt.state.name !== 'in_doubt') return DONE;
  const decided = await decide(shop, attempt, as);
  return decided.kind === 'done'
    ? { kind: 'done', rows: [...(decided.rows ?? []), 'a_person_decides'] }
    : decided;
}

/** A person, or a job of every day, lets the terminal be compared. */
async function corrected(shop: ReplayedShop, attempt: number, charged: 'yes' | 'no'): Promise<Done> {
  shop.gate.mode = 'questions';
  await shop.with('questions', () => shop.running.core.queues.get(DEVICE.id)?.status === 'ready', SOON_MS);
  let over = false;
  shop.running.core.operations
    .reconcile(DEVICE.id)
    .catch(() => undefined)
    .finally(() => {
      over = true;
    });
  await shop.with('questions', () => over, LATER_MS);
  if (shop.view(attempt)?.charged === charged) return DONE;
  return { kind: 'stop', why: 'compared with its newest payment alone' };
}

async function decide(shop: ReplayedShop, attempt: number, as: Decision['as']): Promise<Done> {
  const view = shop.view(attempt);
  if (view === null) return DONE;
  if (view.attempt.state.name !== 'in_doubt')
    return { kind: 'stop', why: 'the machine has decided before the person' };
  const { id } = view.attempt;
  const say = () => {
    const { payments } = shop.running.core;
    return payments.resolve(id, { ...LEAD, as, source: 'terminal_journal' });
  };
  try {
    say();
    return DONE;
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'DECISION_TOO_EARLY') throw error;
  }
  await shop.pass(SETTLE_MINUTES);
  if (shop.view(attempt)?.attempt.state.name === 'in_doubt') say();
  return { kind: 'done', rows: ['waits_longer'] };
}

async function compareBaskets(shop: ReplayedShop): Promise<Done> {
  const { operations } = shop.running.core;
  const open = () => operations.tasks({ open: true, limit: 50 }).filter(({ kind }) => kind === 'memory_lost');
  await shop.with('questions', () => open().length > 0, SOON_MS);
  for (const { id } of open()) operations.finishTask(id, { by: 'Kim', note: 'compared with the receipts' });
  return DONE;
}

async function adopt(shop: ReplayedShop): Promise<Done> {
  const { queues, operations } = shop.running.core;
  const status = () => queues.get(DEVICE.id)?.status;
  await shop.with('questions', () => status() === 'wrong_terminal', LATER_MS);
  let result: unknown = null;
  operations.adopt(DEVICE.id, 'Ada').then(
    () => {
      result = 'adopted';
    },
    (error: unknown) => {
      result = error;
    },
  );
  await shop.with('questions', () => result !== null && status() !== 'wrong_terminal', LATER_MS);
  if (result !== 'adopted') throw result;
  // What stayed with the terminal that was there before is given to a person once its recovery looks again.
  await shop.with('questions', () => false, MEETING_MS);
  return DONE;
}

async function close(shop: ReplayedShop, terminal: number): Promise<Done> {
  shop.terminals[terminal === 0 ? 0 : 1].close();
  await shop.rest();
  return DONE;
}

function stateOf(shop: ReplayedShop, attempt: number): string | undefined {
  return shop.view(attempt)?.attempt.state.name;
}

function isEnded(shop: ReplayedShop, attempt: number): boolean {
  const view = shop.view(attempt);
  return view !== null && isFinal(view.attempt.state);
}

function waited(isSo: boolean, why: string): Done {
  return isSo ? DONE : { kind: 'stop', why };
}
