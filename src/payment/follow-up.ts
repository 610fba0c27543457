import { formatMoney } from '../base/money.ts';
import type { TransactionReport } from '../terminal/ports.ts';
import { isPartial } from './attempt/amounts.ts';
import type { Attempt, Cause } from './attempt/attempt.ts';
import { type Effect, isFinal } from './attempt/state-machine.ts';
import type { TaskKind } from './tasks/task.ts';

/** The owner's policy for a device whose terminal approves a sale that is cancelled, or too little. */
export interface DevicePolicy {
  readonly lateApproval: 'void' | 'keep';
  readonly partialApproval: 'void' | 'keep';
  /** The terminal can void a sale by its number, without the card. */
  readonly canVoid: boolean;
}

/** A change of an attempt that was just made, inside its transaction. */
export interface Made {
  readonly before: Attempt;
  readonly after: Attempt;
  readonly effects: readonly Effect[];
  /** Ms between the terminal's approval and now, when both came in one dialogue; null: it came otherwise. */
  readonly approvedForMs: number | null;
  /** The sale that a refund or a void belongs to. */
  readonly parent: Attempt | null;
  readonly policy: DevicePolicy;
}

/** What must be written in the same transaction. */
export type FollowUp =
  | { readonly kind: 'void'; readonly cause: Extract<Cause, 'late_approval' | 'partial_approval'> }
  | { readonly kind: 'task'; readonly task: TaskKind; readonly of: Attempt }
  | { readonly kind: 'correction'; readonly charged: boolean }
  /** A void reversed another sale than its own: the one with this trace on the same terminal, if it is ours. */
  | { readonly kind: 'undone_other'; readonly trace: string; readonly report: TransactionReport }
  /** A refund went to another card than its sale's: the cards that both reports name. */
  | { readonly kind: 'other_card'; readonly paidWith: string; readonly givenTo: string }
  /** A void went wrong on this device: the device does not offer it any more. */
  | { readonly kind: 'withdraw_void' }
  /** What answered was not the terminal: it is set aside. */
  | { readonly kind: 'set_aside'; readonly why: string }
  /** Reports that were held back may be sent now. */
  | { readonly kind: 'release_reports'; readonly of: Attempt }
  /** The end of this attempt answers the open question to a person. */
  | { readonly kind: 'answered'; readonly task: TaskKind };

/** tilld voids an approval by itself only when it is younger than this. */
const YOUNG_MS = 60_000;

/**
 * What follows from a change, besides its own effects; pure.
 * A void by policy goes out only if the cancel was known *before* the approval, the approval is young and came in its own dialogue. tilld
 * never voids by itself what recovery or a person found out later.
 */
export function followUps(made: Made): readonly FollowUp[] {
  const { before, after } = made;
  const contradictions = made.effects.flatMap((effect) =>
    effect.kind === 'discrepancy' ? contradictionOf(after, effect.what) : [],
  );
  if (!isFinal(after.state) || isFinal(before.state)) return [...contradictions, ...ofDisbelief(made)];
  return [
    ...contradictions,
    ...ofDoubt(made),
    ...ofSale(made),
    ...ofApproval(made),
    ...ofInvoice(made),
    ...ofVoid(made),
    ...ofRefund(made),
    ...ofPolicyVoid(made),
  ];
}

function contradictionOf(after: Attempt, what: 'charged' | 'not_charged' | 'amount'): FollowUp[] {
  if (what !== 'amount') return [{ kind: 'correction', charged: what === 'charged' }];
  return [{ kind: 'task', task: 'amount_differs', of: after }];
}

/** Its approval was not believed. */
function ofDisbelief({ before, after }: Made): FollowUp[] {
  const isNew = before.state.name !== 'in_doubt' && after.state.name === 'in_doubt';
  if (!isNew || after.reason?.code !== 'terminal_not_believed') return [];
  return [{ kind: 'set_aside', why: after.reason.message }];
}

/** The old terminal may have come back and been asked: then the reason is another one, and the task is still open. */
function ofDoubt({ before }: Made): FollowUp[] {
  const wasWithPerson = before.state.name === 'in_doubt' && before.needsPerson;
  return wasWithPerson ? [{ kind: 'answered', task: 'terminal_replaced' }] : [];
}

function ofSale(made: Made): FollowUp[] {
  const { before, after, policy, approvedForMs } = made;
  if (after.type !== 'sale' || after.state.name !== 'succeeded' || after.corrects !== null) return [];
  const undoable = policy.canVoid && after.report?.number !== undefined;
  const heard = before.state.name === 'approved' && approvedForMs !== null && approvedForMs < YOUNG_MS;
  if (after.cancelRequestedAt !== null) {
    const knownBefore = before.state.name === 'approved' && before.state.cancelledBefore;
    if (heard && knownBefore && undoable && policy.lateApproval === 'void')
      return [{ kind: 'void', cause: 'late_approval' }];
    return [standing(after)];
  }
  if (!isPartial(after)) return [];
  if (heard && undoable && policy.partialApproval === 'void')
    return [{ kind: 'void', cause: 'partial_approval' }];
  return [standing(after)];
}

/** Tasks of an approval that stands. */
function ofApproval({ after }: Made): FollowUp[] {
  const { type, state, corrects, report } = after;
  if (type !== 'sale' || state.name !== 'succeeded' || corrects !== null || !report) return [];
  const signed = report.cardholderVerification?.includes('signature') ?? false;
  const tasks: FollowUp[] = [];
  if (signed) tasks.push({ kind: 'task', task: 'signature_to_check', of: after });
  if (report.online === 'no') tasks.push({ kind: 'task', task: 'offline_approval', of: after });
  return tasks;
}

/** Another till may have charged its invoice as well: it is listed until the service answers. */
function ofInvoice({ after }: Made): FollowUp[] {
  if (after.state.name !== 'succeeded' || !after.baseline?.invoiceUnasked) return [];
  return [{ kind: 'task', task: 'invoice_unconfirmed', of: after }];
}

/** The task of a sale that stands although it was cancelled or is partial. */
function standing(sale: Attempt): FollowUp {
  return { kind: 'task', task: isPartial(sale) ? 'partial_approval' : 'cancel_too_late', of: sale };
}

/** The reversed sale must be the intended one. */
function ofVoid({ after, parent }: Made): FollowUp[] {
  if (after.type !== 'void' || after.state.name !== 'succeeded' || after.corrects !== null || !parent)
    return [];
  const wrong = wrongVoid(after);
  if (wrong === null) return [];
  const { report, original } = after;
  const other =
    report?.originalTrace !== undefined && differ(report.originalTrace, original?.trace)
      ? [{ kind: 'undone_other', trace: report.originalTrace, report } as const]
      : [];
  return [{ kind: 'task', task: 'void_mismatch', of: after }, { kind: 'withdraw_void' }, ...other];
}

/** The money of a refund must go to the card that paid; a phone may show another number for it, so a person compares. */
function ofRefund({ after, parent }: Made): FollowUp[] {
  if (after.type !== 'refund' || after.state.name !== 'succeeded' || !parent?.report || !after.report)
    return [];
  const [paid, given] = [parent.report, after.report];
  const [number, other] = [paid.maskedPan?.toString(), given.maskedPan?.toString()];
  const isOtherNumber =
    number !== undefined &&
    other !== undefined &&
    (areDifferentCards(number, other) || areDifferentCards(number.slice(-4), other.slice(-4)));
  if (!isOtherNumber && !areDifferentSchemes(paid.cardScheme, given.cardScheme)) return [];
  return [{ kind: 'other_card', paidWith: cardWords(paid), givenTo: cardWords(given) }];
}

/** Two names of which neither contains the other: `VISA` and `VISA DEBIT` are one scheme. */
function areDifferentSchemes(a = '', b = ''): boolean {
  const [one, other] = [a, b].map((name) => name.toLowerCase().replace(/[^a-z]/g, ''));
  return !!one && !!other && !one.includes(other) && !other.includes(one);
}

function cardWords({ cardScheme, maskedPan }: TransactionReport): string {
  return [cardScheme, maskedPan?.toString()].filter((part) => part !== undefined).join(' ');
}

/** Staff get a task for a void by policy only when it fails; a sale that it reversed may be reported. */
function ofPolicyVoid({ after, parent }: Made): FollowUp[] {
  if (after.type !== 'void' || parent === null) return [];
  if (after.state.name === 'succeeded')
    return isPartial(parent) ? [{ kind: 'release_reports', of: parent }] : [];
  if (after.cause !== 'late_approval' && after.cause !== 'partial_approval') return [];
  return [standing(parent)];
}

/**
 * Why a void's own report does not fit the sale it names; null when nothing contradicts. Such a void reversed something else: its own sale
 * stands, also after a person has compared.
 */
export function wrongVoid({ type, original, report, amount: asked }: Attempt): string | null {
  if (type !== 'void' || !original || !report) return null;
  if (report.amountMinor !== undefined && report.amountMinor !== asked.minor)
    return `it gave back ${formatMoney({ ...asked, minor: report.amountMinor })} instead of ${formatMoney(asked)}`;
  if (differ(report.originalTrace, original.trace)) return 'it names another transaction';
  const [card, meant] = [report.maskedPan?.toString(), original.maskedPan?.toString()];
  if (card !== undefined && meant !== undefined && areDifferentCards(card, meant))
    return 'it was another card';
  return null;
}

/** Two truncated numbers of which a digit that both show differs; terminals mask the same card in more than one way. */
function areDifferentCards(a: string, b: string): boolean {
  if (a.length !== b.length) return false;
  return [...a].some((digit, at) => /\d/.test(digit) && /\d/.test(b[at] ?? '') && digit !== b[at]);
}

function differ(a: string | undefined, b: string | undefined): boolean {
  return a !== undefined && b !== undefined && a !== b;
}
