import { isPartial } from '../../src/payment/attempt/amounts.ts';
import type { Attempt } from '../../src/payment/attempt/attempt.ts';
import { isFinal, publicStatus } from '../../src/payment/attempt/state-machine.ts';
import type { Task } from '../../src/payment/tasks/task.ts';
import type { PaymentRecord } from '../../src/sandbox/service/records.ts';
import type { Agent, ReportRow } from './agent.ts';
import type { World } from './world.ts';

/**
 * At the end of a day the service knows every outcome once, and work of the service was run only where it was ours.
 * A report that a person must look at has a task and a reason that the service gave.
 */
export function judgeReports(world: World): void {
  const { agent, books } = world;
  if (!agent) return;
  const reports = new ReportJudge(world, agent);
  for (const attempt of books.attempts.values()) {
    if (isFinal(attempt.state) && isRequested(world, attempt)) reports.judge(attempt);
  }
  judgeWork(world);
  judgeForgotten(world, agent.tasks);
}

function isRequested(world: World, { origin }: Attempt): boolean {
  return origin.kind === 'service' || world.reportsLocal;
}

/** What the service holds, beside what was to be reported. */
class ReportJudge {
  readonly #world: World;
  readonly #agent: Agent;
  readonly #rows: ReadonlyMap<string, readonly ReportRow[]>;
  readonly #tasks: readonly Task[];

  constructor(world: World, agent: Agent) {
    this.#world = world;
    this.#agent = agent;
    this.#rows = Map.groupBy(agent.reports, ({ attemptId }) => attemptId);
    this.#tasks = agent.tasks;
  }

  judge(attempt: Attempt): void {
    const rows = this.#rowsOf(attempt.id);
    const name = this.#world.books.nameOf(attempt.id);
    if (!rows.some(({ kind }) => kind === 'result')) this.#accuse(`${name} ended and no report was written`);
    const parked = rows.filter(({ state }) => state === 'parked');
    for (const row of parked) this.#judgeParked(attempt, row);
    if (parked.length === 0 && !this.#waitsForPerson(attempt)) this.#judgeReported(attempt);
  }

  /** A person must know, and the service must have given the cause. */
  #judgeParked(attempt: Attempt, row: ReportRow): void {
    const { books, service } = this.#world;
    const name = books.nameOf(attempt.id);
    const has = (kind: Task['kind']) =>
      this.#tasks.some((task) => task.kind === kind && task.attemptId === attempt.id);
    // Held back from the start; what was looked up before its first use is parked like any other.
    if (row.tries === 0 && isPartial(attempt)) return;
    if (!has('report_rejected')) this.#accuse(`${name} is parked and nobody is asked: ${row.lastError}`);
    const payment = this.#paymentsOf(attempt)[0];
    const disagrees =
      payment && payment.completedAt !== null && payment.status !== publicStatus(attempt.state);
    const isLost = service.forgotten.has(this.#agent.serviceIdOf(attempt.id));
    if (disagrees || isLost || service.watch.refusalOf(row.key) !== undefined) return;
    this.#accuse(`${name} is parked and the service never refused it: ${row.lastError}`);
  }

  /** Its sale's reports wait for a person: a child waits with them. */
  #waitsForPerson({ parentId }: Attempt): boolean {
    return parentId !== null && this.#rowsOf(parentId).some(({ state }) => state === 'parked');
  }

  #judgeReported(attempt: Attempt): void {
    const { books, service } = this.#world;
    const name = books.nameOf(attempt.id);
    const found = this.#paymentsOf(attempt);
    const [payment] = found;
    if (!payment) {
      if (!service.forgotten.has(this.#agent.serviceIdOf(attempt.id)))
        this.#accuse(`${name} is not known at the service`);
      return;
    }
    const isMadeAgain = this.#rowsOf(attempt.id).some(({ key }) => service.watch.wasLate(key));
    if (found.length > 1 && isMadeAgain && !service.honoursOurId) {
      this.#accuse(`${name} was made again at a service that ignores our id and had forgotten its key`);
      return;
    }
    if (found.length > 1) this.#accuse(`${name} is there ${found.length} times`);
    if (payment.status !== publicStatus(attempt.state))
      this.#accuse(`${name} is ${attempt.state.name} here and ${payment.status} at the service`);
    // Our own "cancelled", told after the service cancelled it too, finds it applied.
    const isReported = payment.calls.result.applied === 1 || service.cancelled.has(payment.id);
    if (!isReported) this.#accuse(`the result of ${name} was taken ${payment.calls.result.applied} times`);
    // A void takes back what was approved, tip and all; the service knows what was asked.
    if (attempt.type !== 'void' && payment.amountMinor !== attempt.amount.minor)
      books.accuse('wrong_amounts', `${name} is reported with ${payment.amountMinor}`);
    this.#judgeFamily(attempt, payment);
    this.#judgePart(attempt, payment);
  }

  #judgeFamily(attempt: Attempt, payment: PaymentRecord): void {
    const name = this.#world.books.nameOf(attempt.id);
    if (payment.type !== attempt.type)
      this.#accuse(`${name} is a ${attempt.type} and told as ${payment.type}`);
    const parent = attempt.parentId === null ? null : this.#agent.serviceIdOf(attempt.parentId);
    if (attempt.origin.kind === 'local' && payment.parentId !== parent)
      this.#accuse(`${name} is told below ${payment.parentId} and belongs below ${parent}`);
  }

  /** What was approved in part is reported with that part, or not at all. */
  #judgePart(attempt: Attempt, { metadata, asked }: PaymentRecord): void {
    if (!isPartial(attempt) || attempt.state.name !== 'succeeded' || !this.#world.service.keepsMetadata)
      return;
    const reported: unknown = Reflect.get(
      Object(metadata['tilld'] ?? asked.metadata?.['tilld']),
      'approved_amount_minor',
    );
    if (reported !== attempt.report?.amountMinor)
      this.#accuse(`${this.#world.books.nameOf(attempt.id)} was approved in part and is told as paid`);
  }

  #paymentsOf(attempt: Attempt): readonly PaymentRecord[] {
    return this.#world.service.payments.filter((payment) => isOf(attempt, payment));
  }

  #rowsOf(attemptId: string): readonly ReportRow[] {
    return this.#rows.get(attemptId) ?? [];
  }

  #accuse(text: string): void {
    this.#world.books.accuse('unreported', text);
  }
}

/** Nothing that an agent reported is run as work, and nothing that another agent holds. */
function judgeWork({ books, service }: World): void {
  const ours = new Map(
    [...books.attempts.values(), ...books.forgotten.values()].flatMap((attempt) =>
      attempt.origin.kind === 'service' ? [[attempt.origin.serviceId, attempt] as const] : [],
    ),
  );
  for (const payment of service.payments) {
    const attempt = ours.get(payment.id);
    if (!attempt || attempt.dispatchedAt === null) continue;
    const name = books.nameOf(attempt.id);
    if (payment.agent === 'another-agent')
      books.accuse('broken_rules', `${name} was claimed by another agent and run here`);
    if (payment.askedBy === 'client')
      books.accuse('broken_rules', `${name} was told by an agent and run here as work`);
  }
}

/**
 * Charges of a life that was forgotten: nobody can book them without a trace, so somebody must have been asked at that device, and the
 * service was never told "not charged" of them.
 */
function judgeForgotten({ books, service }: World, tasks: readonly Task[]): void {
  for (const attempt of books.forgottenCharges) {
    const name = `a sale of a forgotten life (${attempt.id})`;
    if (!tasks.some(({ kind, deviceId }) => kind === 'memory_lost' && deviceId === attempt.deviceId))
      books.accuse('lost_outcomes', `${name} was charged and nobody was asked to compare`);
    for (const payment of service.payments) {
      if (!isOf(attempt, payment) || payment.calls.result.applied === 0) continue;
      if (payment.status !== 'succeeded')
        books.accuse('lost_outcomes', `${name} was charged and is told as ${payment.status}`);
    }
  }
}

function isOf(attempt: Attempt, payment: PaymentRecord): boolean {
  if (attempt.origin.kind === 'service') return payment.id === attempt.origin.serviceId;
  if (payment.askedBy !== 'client') return false;
  const echo: unknown = Reflect.get(Object(payment.asked.metadata), 'tilld');
  return payment.asked.id === attempt.id || Reflect.get(Object(echo), 'attempt') === attempt.id;
}
