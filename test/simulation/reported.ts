import type { Attempt } from '../../src/payment/attempt.ts';
import { isFinal, publicStatus } from '../../src/payment/machine.ts';
import type { World } from './world.ts';

/** At the end of a day the service knows every outcome, once; work of the service was run once, and only where it was ours. */
export function judgeReports(world: World): void {
  const { books, service } = world;
  for (const attempt of books.attempts.values()) {
    const isReported = attempt.origin.kind === 'service' || world.reportsLocal;
    if (isFinal(attempt.state) && isReported) judgeOne(world, attempt);
  }
  const ours = new Set(
    [...books.attempts.values()].flatMap(({ origin }) =>
      origin.kind === 'service' ? [origin.serviceId] : [],
    ),
  );
  for (const payment of service.payments) {
    if (payment.agent === 'another-agent' && ours.has(payment.id))
      books.accuse('broken_rules', `work ${payment.id} was claimed by another agent and run here`);
  }
}

function judgeOne({ books, service }: World, attempt: Attempt): void {
  const name = books.nameOf(attempt.id);
  const found = service.payments.filter((payment) => isOf(attempt, payment));
  const [payment] = found;
  if (!payment) {
    books.accuse('unreported', `${name} is not known at the service`);
    return;
  }
  if (found.length > 1) books.accuse('unreported', `${name} is there ${found.length} times`);
  if (payment.status !== publicStatus(attempt.state))
    books.accuse('unreported', `${name} is ${attempt.state.name} here and ${payment.status} at the service`);
  if (payment.calls.result.applied !== 1)
    books.accuse('unreported', `the result of ${name} was taken ${payment.calls.result.applied} times`);
  if (payment.amountMinor !== attempt.amount.minor)
    books.accuse('wrong_amounts', `${name} is reported with ${payment.amountMinor}`);
}

function isOf(
  attempt: Attempt,
  payment: { id: string; askedBy: string; asked: { metadata: unknown } },
): boolean {
  if (attempt.origin.kind === 'service') return payment.id === attempt.origin.serviceId;
  if (payment.askedBy !== 'client') return false;
  const echo: unknown = Reflect.get(Object(payment.asked.metadata), 'tilld');
  return Reflect.get(Object(echo), 'attempt') === attempt.id;
}
