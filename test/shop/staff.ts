import { AppError } from '../../src/base/errors.ts';
import type { AttemptView } from '../../src/payment/payments.ts';
import type { Task } from '../../src/payment/tasks/task.ts';
import type { Random } from '../simulation/random.ts';
import type { FaultKind } from './fault-kinds.ts';
import type { Records } from './records.ts';
import type { Till } from './till.ts';

export interface StaffDeps {
  readonly records: Records;
  readonly random: Random;
  /** Ms since the week began. */
  readonly now: () => number;
  readonly count: (kind: FaultKind) => void;
  readonly say: (line: string) => void;
}

/** Tasks that end by themselves. */
const NOT_FOR_STAFF: readonly Task['kind'][] = ['terminal_replaced', 'invoice_unconfirmed'];

/** The people of the shop: they answer what only a person can, now and then wrongly, now and then twice. */
export class Staff {
  readonly #deps: StaffDeps;

  constructor(deps: StaffDeps) {
    this.#deps = deps;
  }

  /** They look at their list. @param isHonest they answer all of it, and truly */
  lookAt(till: Till, isHonest = false): void {
    const { agent } = till;
    if (agent.isDead) return;
    const { records, random } = this.#deps;
    this.#adopt(till);
    const tasks = agent.core.operations.tasks({ open: true, limit: 1000 });
    records.asked(tasks.map(({ id }) => id));
    for (const task of tasks) this.#finish(till, task, isHonest);
    for (const view of agent.core.payments.list({ limit: 1000 }).items) {
      const { id, state, needsPerson } = view.attempt;
      if (state.name !== 'in_doubt' || !needsPerson || !(isHonest || random.chance(0.4))) continue;
      records.asked([`doubt ${id}`]);
      this.#answer(till, view, isHonest);
    }
  }

  /** A terminal that the books do not know any more, or not yet, is taken for the one that stands there. */
  #adopt({ agent, places }: Till): void {
    const { queues, operations } = agent.core;
    for (const { device } of places)
      if (queues.get(device.id)?.status === 'wrong_terminal' && this.#deps.random.chance(0.5))
        operations.adopt(device.id, 'Ada').catch(() => undefined);
  }

  #finish(till: Till, task: Task, isHonest: boolean): void {
    const { records } = this.#deps;
    const basket = task.kind === 'invoice_paid_twice' ? records.of(task.attemptId ?? '') : undefined;
    if (basket) basket.wasAskedTwice = true;
    if (NOT_FOR_STAFF.includes(task.kind)) return;
    if (task.kind === 'memory_lost') this.#compare(till, task.deviceId, isHonest);
    attempt(() => till.agent.core.operations.finishTask(task.id, { by: 'Ada', note: 'looked' }));
  }

  /** What was taken at this counter in a process run whose books were put back is held against the receipts of its terminal. */
  #compare(till: Till, deviceId: string | null, isHonest: boolean): void {
    const { records, random, now, count, say } = this.#deps;
    for (const { payment, basket } of records.toCompare(till.name, deviceId)) {
      const isCharged = records.isTaken(payment);
      const isWrong = isCharged && !isHonest && random.chance(0.15);
      const isPaid = isCharged && !isWrong;
      basket.wasCompared = true;
      basket.isKnownPaid ||= isPaid;
      records.answered({
        at: now(),
        basket: basket.id,
        payment,
        type: 'sale',
        stated: isPaid ? 'yes' : 'no',
        isTrue: !isWrong,
      });
      if (isWrong) count('wrong_person_answer');
      say(
        `a person compares ${basket.id}, ${payment}: ${isPaid ? 'paid' : 'not paid'}${isWrong ? ', which is wrong' : ''}`,
      );
    }
  }

  #answer({ agent }: Till, view: AttemptView, isHonest: boolean): void {
    const { records, random, now, count, say } = this.#deps;
    const { id, type } = view.attempt;
    const basket = records.of(id);
    if (!basket) return;
    const isCharged = records.isTaken(id);
    const isWrong = !isHonest && random.chance(0.15);
    const says = isCharged !== isWrong ? 'succeeded' : 'not_charged';
    const words = { by: 'Ada', reason: 'looked', shown: '0001', lead: true } as const;
    const source = random.pick(['customer_slip', 'acquirer_statement', 'terminal'] as const);
    const decide = (as: 'succeeded' | 'not_charged' | 'written_off') =>
      attempt(() => {
        agent.core.payments.resolve(id, { as, ...words, ...(source === 'terminal' ? {} : { source }) });
        const stated = as === 'succeeded' ? 'yes' : as === 'not_charged' ? 'no' : 'unknown';
        const isTrue = stated === 'unknown' || (stated === 'yes') === isCharged;
        records.answered({ at: now(), basket: basket.id, payment: id, type, stated, isTrue });
        if (!isTrue) count('wrong_person_answer');
        say(`a person says ${stated} of ${id}, which is ${isTrue ? 'true' : 'wrong'}`);
        return true;
      });
    const isDecided = decide(isHonest || random.chance(0.9) ? says : 'written_off') ?? false;
    if (!isDecided || !random.chance(0.3)) return;
    count('double_person_answer');
    decide(says === 'succeeded' ? 'not_charged' : 'succeeded');
  }
}

/** Null where tilld refuses it. */
function attempt<T>(what: () => T): T | null {
  try {
    return what();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return null;
  }
}
