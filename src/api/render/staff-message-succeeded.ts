import { formatMoney } from '../../base/money.ts';
import { approvedMinor } from '../../payment/amounts.ts';
import type { Attempt } from '../../payment/attempt.ts';
import type { AttemptView } from '../../payment/payments.ts';
import { UNDOING } from './staff-words.ts';

/** A sale that the terminal charged: as asked, in part, with more, too late, or given back since. */
export function succeededSale(view: AttemptView): string {
  const { attempt, givenBackMinor, givingBackMinor } = view;
  const paid = approvedMinor(attempt);
  if (givingBackMinor > 0) return beingGivenBack(attempt, paid, givingBackMinor);
  if (givenBackMinor > 0) return givenBack(attempt, paid, givenBackMinor);
  const late = attempt.cancelRequestedAt === null ? '' : 'Cancel came too late. ';
  if (paid < expectedMinor(attempt)) return `${late}${partly(attempt, paid)}`;
  const has = `The customer HAS paid ${money(attempt, paid)}`;
  if (attempt.corrects !== null) {
    return (
      `${has}: the terminal's records show it, although payment ${attempt.corrects} had ended otherwise. ` +
      'Refund it, or let it stand and hand over the goods; take no second payment.'
    );
  }
  if (late !== '') return `${late}${has}. Hand over the goods or refund.`;
  return paid > expectedMinor(attempt) ? tooMuch(attempt, paid, has) : `${has}. ${handOver(attempt)}`;
}

/** A refund or a void that gave money back, and what is left to do; `tasks` are open ones in their own words. */
export function succeededGivingBack(attempt: Attempt, tasks: readonly string[]): readonly string[] {
  const given = approvedMinor(attempt);
  const rest = attempt.amount.minor - given;
  const back = `${money(attempt, given)} WAS given back to the customer.`;
  if (rest > 0)
    return [`Only ${back}`, `Give back the rest of ${money(attempt, rest)}, or ask the customer.`, ...tasks];
  if (attempt.corrects !== null) {
    const shown = `The terminal's records show it, although payment ${attempt.corrects} had ended otherwise.`;
    return [back, shown, 'Do not give it back again.', ...tasks];
  }
  if (tasks.length > 0) return [back, ...tasks];
  const { cause } = attempt;
  return [
    back,
    cause === null || cause === 'correction' ? 'Nothing else is to be done.' : UNDOING[cause].done,
  ];
}

function beingGivenBack(attempt: Attempt, paid: number, back: number): string {
  return (
    `The customer HAS paid ${money(attempt, paid)}, and ${money(attempt, back)} of it is being given back right now. ` +
    'Wait for the outcome of that before you hand over anything or give back more.'
  );
}

function givenBack(attempt: Attempt, paid: number, back: number): string {
  const all = back >= paid;
  if (all)
    return (
      `The customer had paid ${money(attempt, paid)} and ALL of it WAS given back. ` +
      'Nothing else is to be done; hand over goods only against another payment.'
    );
  const rest = money(attempt, paid - back);
  return (
    `The customer HAS paid ${money(attempt, paid)}, and ${money(attempt, back)} of it WAS given back: ${rest} stands. ` +
    `Nothing else is to be done, unless more is to be given back: ${rest} at most.`
  );
}

/** Less than was asked for is never called paid. */
function partly(attempt: Attempt, paid: number): string {
  const whole = expectedMinor(attempt);
  const next = `take the rest of ${money(attempt, whole - paid)} or refund what was paid. Do not hand over the goods before that.`;
  return (
    `PARTLY paid: ${money(attempt, paid)} of ${money(attempt, whole)}. The customer HAS been charged that part. ` +
    `${capitalised(next)}`
  );
}

function tooMuch(attempt: Attempt, paid: number, has: string): string {
  const asked = expectedMinor(attempt);
  return (
    `${has} although ${money(attempt, asked)} was asked for. Hand over the goods and compare the receipt; ` +
    `refund ${money(attempt, paid - asked)} if the customer did not agree to more.`
  );
}

function handOver(attempt: Attempt): string {
  const cash = attempt.report?.cashbackMinor ?? 0;
  return cash > 0 ? `Hand over the goods and ${money(attempt, cash)} in cash.` : 'Hand over the goods.';
}

/** What was asked for, and what the terminal says was added to it. */
function expectedMinor({ amount, report }: Attempt): number {
  return (
    amount.minor + (report?.tipMinor ?? 0) + (report?.surchargeMinor ?? 0) + (report?.cashbackMinor ?? 0)
  );
}

function money(attempt: Attempt, minor: number): string {
  return formatMoney({ ...attempt.amount, minor });
}

function capitalised(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}
