import type { Attempt } from '../../../src/payment/attempt/attempt.ts';
import { isFinal, publicStatus } from '../../../src/payment/attempt/state-machine.ts';
import type { LedgerLine } from '../../../src/sandbox/service/control.ts';
import type { Accuse, Evidence } from './judge.ts';

/** The service knows every outcome, once, under one payment. */
export function judgeReports({ world, books }: Evidence, accuse: Accuse): void {
  const payments = world.service.control.ledger();
  for (const attempt of books.attempts) {
    if (!isFinal(attempt.state)) continue;
    const rows = books.reports.get(attempt.id) ?? [];
    const name = `${attempt.type} ${attempt.id}`;
    const own = payments.filter((payment) => isOf(attempt, payment));
    const [payment] = own;
    if (!payment || own.length > 1) {
      accuse('unreported', `${name} is ${own.length} times at the service`);
      continue;
    }
    const parked = rows.find(({ state }) => state === 'parked');
    if (parked) judgeParked(attempt, payment, parked.lastError, accuse, books.tasks);
    else judgeReported(attempt, payment, accuse);
  }
}

function judgeReported(attempt: Attempt, payment: LedgerLine, accuse: Accuse): void {
  const name = `${attempt.type} ${attempt.id}`;
  const status = publicStatus(attempt.state);
  if (payment['status'] !== status)
    accuse('unreported', `${name} is ${status} here and ${payment['status']} at the service`);
  const applied = appliedOf(payment, 'result');
  // A cancel of the service's own is an end that needs no result.
  if (applied !== 1 && !(applied === 0 && status === 'cancelled'))
    accuse('unreported', `the result of ${name} was taken ${applied} times`);
  const made = appliedOf(payment, 'create');
  if (attempt.origin.kind === 'local' && made !== 1)
    accuse('unreported', `${name} was made ${made} times at the service`);
}

/** Allowed where the service had decided otherwise, and somebody was asked. */
function judgeParked(
  attempt: Attempt,
  payment: LedgerLine,
  why: string | null,
  accuse: Accuse,
  tasks: Evidence['books']['tasks'],
): void {
  const isAsked = tasks.some(({ kind, attemptId }) => kind === 'report_rejected' && attemptId === attempt.id);
  const disagrees = payment['completed_at'] !== null && payment['status'] !== publicStatus(attempt.state);
  if (!isAsked || !disagrees) accuse('unreported', `${attempt.type} ${attempt.id} is parked: ${why}`);
}

function isOf(attempt: Attempt, payment: LedgerLine): boolean {
  if (attempt.origin.kind === 'service') return payment['id'] === attempt.origin.serviceId;
  const asked = Object(payment['asked']);
  const echo: unknown = Reflect.get(Object(asked.metadata), 'tilld');
  return asked.id === attempt.id || Reflect.get(Object(echo), 'attempt') === attempt.id;
}

function appliedOf(payment: LedgerLine, call: string): number {
  return Number(Reflect.get(Object(Reflect.get(Object(payment['calls']), call)), 'applied'));
}
