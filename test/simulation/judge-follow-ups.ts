import type { Attempt } from '../../src/payment/attempt/attempt.ts';
import type { CaseFile } from './case-file.ts';
import { approvedOf } from './judge-outcomes.ts';

/** An approval older than this is undone by nobody but a person. */
const YOUNG_MS = 60_000;

/** What must follow from an end, in the same transaction: a late or partial approval is undone, or a person is asked. */
export function judgeFollowUps(books: CaseFile, attempt: Attempt, before: Attempt | undefined): void {
  if (attempt.corrects !== null) return;
  if (attempt.type === 'sale' && attempt.state.name === 'succeeded') judgeSale(books, attempt, before);
  if (attempt.cause === 'late_approval' || attempt.cause === 'partial_approval')
    judgePolicyVoid(books, attempt);
}

function judgeSale(books: CaseFile, sale: Attempt, before: Attempt | undefined): void {
  const name = books.nameOf(sale.id);
  const undoing = books
    .childrenOf(sale.id)
    .find(({ cause }) => cause === 'late_approval' || cause === 'partial_approval');
  const isPartial = approvedOf(sale) - addedTo(sale) < sale.amount.minor;
  const asked = books.wasAsked(sale.id, 'cancel_too_late') || books.wasAsked(sale.id, 'partial_approval');
  if ((sale.cancelRequestedAt !== null || isPartial) && !undoing && !asked)
    books.accuse('broken_rules', `${name} was not wanted like this, stands, and nobody is asked`);
  if (!undoing) return;
  const approval = before?.state.name === 'approved' ? before.state : null;
  const approvedAt = books.approvedAt(sale.id) ?? Number.NEGATIVE_INFINITY;
  if (!approval || sale.evidence?.kind !== 'dialogue')
    books.accuse('broken_rules', `${name} is undone by itself although its approval was learned later`);
  if (books.now - approvedAt >= YOUNG_MS)
    books.accuse('broken_rules', `${name} is undone by itself although its approval is old`);
  if (undoing.cause === 'late_approval' && !approval?.cancelledBefore)
    books.accuse('broken_rules', `${name} is undone by itself although the cancel came after the approval`);
  if (undoing.cause === 'partial_approval' && !isPartial)
    books.accuse('broken_rules', `${name} is undone by itself as partial and is not`);
}

/** What the customer added at the terminal. */
function addedTo({ report }: Attempt): number {
  const { tipMinor = 0, surchargeMinor = 0, cashbackMinor = 0 } = report ?? {};
  return tipMinor + surchargeMinor + cashbackMinor;
}

/** Of a void that tilld made by itself staff hear when it does not work. */
function judgePolicyVoid(books: CaseFile, { id, state, parentId }: Attempt): void {
  if (state.name === 'succeeded' || parentId === null) return;
  const asked = books.wasAsked(parentId, 'cancel_too_late') || books.wasAsked(parentId, 'partial_approval');
  if (!asked) books.accuse('broken_rules', `${books.nameOf(id)} did not undo its sale, and nobody is asked`);
}
