import { LABEL_OF, outcomeOf } from './outcome.js';
import { endWords } from './reasons.js';
import { filled, isWordKey, joined, outcomeWords, wordsOf } from './tongue.js';

/** @import { Outcome, OutcomeKey } from './outcome.js' */
/** @import { Tongue } from './tongue.js' */

/**
 * A payment as the API shows it now, without its sentences.
 * @typedef {Omit<import('../api/contract/terminal-payment.ts').TerminalPayment, 'message' | 'tasks'>} MoneyFacts
 */
/** @typedef {{ readonly title: string, readonly charged: string, readonly now: string, readonly beside: readonly string[], readonly why: ReturnType<typeof whyOf> }} Sentences */

/**
 * The sentences of a payment as it is now: a title, whether the customer was charged, what to do now, and what else is known.
 * @param {MoneyFacts} payment
 * @param {Tongue} tongue
 * @returns {Outcome & Sentences}
 */
export function paymentSentences(payment, tongue) {
  const outcome = outcomeOf(payment);
  const { title, charged, now } = outcomeWords(tongue.language, outcome.key);
  const amounts = Object.entries(outcome.values).map(([name, minor]) => [
    name,
    tongue.money(minor, payment.currency),
  ]);
  const values = { ...Object.fromEntries(amounts), which: whichTerminal(payment) };
  return {
    ...outcome,
    title: filled(title, values),
    charged: filled(charged, values),
    now: isAsked(payment, outcome) ? wordsOf(tongue.language, 'tasks_now') : filled(now, values),
    beside: besideOf(payment, outcome.key, tongue),
    why: whyOf(payment, outcome.key, tongue),
  };
}

/**
 * The terminal that a payment went to, for a text after the word "terminal": ` 17F00001 (ID 52500038)`; empty where the terminal told neither.
 * @param {Pick<MoneyFacts, 'terminal_serial' | 'terminal_id'>} payment
 */
export function whichTerminal({ terminal_serial: serial, terminal_id: id }) {
  const known = [serial ?? '', id === null ? '' : `(ID ${id})`];
  return known.map((part) => (part === '' ? '' : ` ${part}`)).join('');
}

/**
 * The outcome alone needs no action, but a person must decide.
 * @param {MoneyFacts} payment
 * @param {Outcome} outcome
 */
function isAsked({ needs_person: isWithPerson }, { key }) {
  return key === 'back_done' && isWithPerson;
}

/**
 * The label of a payment in a list.
 * @param {MoneyFacts} payment
 * @param {Tongue} tongue
 */
export function paymentLabel(payment, { language }) {
  const { key, tone } = outcomeOf(payment);
  const of = LABEL_OF[key];
  return { of, label: wordsOf(language, `label_${of}`), tone };
}

/**
 * The sentences of a payment as one text.
 * @param {MoneyFacts} payment
 * @param {Tongue} tongue
 */
export function paymentMessage(payment, tongue) {
  const { title, charged, now, beside, why, key } = paymentSentences(payment, tongue);
  const first = IN_TITLE.includes(key) ? `${title}.` : '';
  return joined(first, charged, ...beside, whyText(why), now);
}

/** Outcomes whose title holds facts that their sentences do not repeat. @type {readonly OutcomeKey[]} */
const IN_TITLE = [
  'paid_part',
  'paid_late',
  'doubt_replaced',
  'back_doubt_replaced',
  'doubt_not_believed',
  'back_doubt_not_believed',
];

/**
 * The request of a task, with its payment as it is now.
 * @param {{ readonly kind: string, readonly asked?: Asked | null }} task
 * @param {MoneyFacts | null} payment null: it is about none, or the payment is not known here
 * @param {Tongue} tongue
 */
export function taskSentences({ kind, asked = null }, payment, tongue) {
  const { language } = tongue;
  if (asked !== null) return askedSentences(kind, asked, payment, tongue);
  const whatKey = `task_${kind}`;
  if (kind === 'report_rejected' && payment && payment.reported !== 'rejected')
    return overRejection(payment, tongue);
  const what = whatOf(whatKey, payment, tongue);
  const nowKey = `task_${kind}_now`;
  const own = isWordKey(nowKey) ? wordsOf(language, nowKey) : '';
  if (!payment) return { what, charged: '', now: own };
  const { key, charged, now } = paymentSentences(payment, tongue);
  if (own === '' || (OF_A_PAID_SALE.includes(kind) && !isAsPaid(key))) {
    const close = key === 'paid_back_all' ? wordsOf(language, 'close_task') : '';
    return { what, charged, now: joined(now, close) };
  }
  return { what, charged, now: payment.charged === 'unknown' ? joined(now, own) : own };
}

/** @typedef {{ readonly operator: string, readonly reason: string | null, readonly begun_by: string | null }} Asked who asks for a task of the fleet, and who has begun it */

/**
 * What an operator of the fleet asks a person of this shop for.
 * @param {string} kind
 * @param {Asked} asked
 * @param {MoneyFacts | null} payment
 * @param {Tongue} tongue
 */
function askedSentences(kind, { operator, reason, begun_by: by }, payment, tongue) {
  const { language } = tongue;
  const key = isWordKey(`task_${kind}`) ? kind : 'fleet_unknown';
  const whatKey = `task_${key}`;
  const nowKey = by === null ? `task_${key}_now` : 'task_fleet_begun';
  const why = reason === null ? '' : wordsOf(language, 'task_fleet_reason', { reason });
  const what = isWordKey(whatKey) ? wordsOf(language, whatKey, { operator }) : '';
  const nothing = wordsOf(language, 'task_fleet_charged');
  return {
    what: joined(what, why),
    charged: joined(nothing, payment ? paymentSentences(payment, tongue).charged : ''),
    now: isWordKey(nowKey) ? wordsOf(language, nowKey, { by: by ?? '' }) : '',
  };
}

/**
 * What happened; with the facts of its payment where there is a text for them.
 * @param {string} key
 * @param {MoneyFacts | null} payment
 * @param {Tongue} tongue
 */
function whatOf(key, payment, { language, money }) {
  const withFacts = `${key}_payment`;
  if (payment && isWordKey(withFacts)) {
    const amount = money(payment.amount_minor, payment.currency);
    return wordsOf(language, withFacts, { amount, which: whichTerminal(payment) });
  }
  return wordsOf(language, isWordKey(key) ? key : 'task_unknown');
}

/** Kinds whose own request ends once the sale is no longer as it was paid. */
const OF_A_PAID_SALE = ['signature_to_check', 'offline_approval'];

/** @param {OutcomeKey} key */
function isAsPaid(key) {
  return [
    'paid',
    'paid_cash',
    'paid_tip',
    'paid_late',
    'paid_more',
    'paid_part',
    'paid_correction',
    'paid_back_part',
  ].includes(key);
}

/**
 * The report was sent again after the task was written.
 * @param {MoneyFacts} payment
 * @param {Tongue} tongue
 */
function overRejection(payment, tongue) {
  const { charged } = paymentSentences(payment, tongue);
  const { language } = tongue;
  const isTaken = payment.reported === 'yes';
  return {
    what: wordsOf(language, isTaken ? 'report_taken' : 'report_again'),
    charged,
    now: wordsOf(language, isTaken ? 'close_task' : 'report_again_now'),
  };
}

/** Errors of a sale whose customer may have paid in another way: the text says only of the request itself that it charged nothing. */
const MAY_BE_PAID = [
  'payment_already_open',
  'payment_already_paid',
  'payment_retried',
  'invoice_already_paid',
  'amount_exceeds_due',
  'split_exceeded',
];

/**
 * Why a request failed: first that this request moved no money, then the current state of the payment that blocks it.
 * @param {{ readonly code: string, readonly message: string }} refusal
 * @param {{ readonly other: MoneyFacts | null, readonly isGivingBack: boolean }} about
 * @param {Tongue} tongue
 */
export function refusalSentences(refusal, { other, isGivingBack }, tongue) {
  const { language } = tongue;
  const kind = isGivingBack ? 'refused_back' : 'refused_sale';
  const isAboutAnother = other !== null || MAY_BE_PAID.includes(refusal.code);
  const nothing = wordsOf(language, isAboutAnother ? `${kind}_this` : kind);
  if (!other) return { charged: nothing, now: refusalWords(refusal, tongue) };
  const { charged, key } = paymentSentences(other, tongue);
  const at = tongue.moment(other.completed_at ?? other.created_at);
  const there = wordsOf(language, 'refused_other_payment', { id: other.id, at, charged });
  const label = LABEL_OF[key];
  // Whatever became of the retry, it is the payment to go on with.
  if (['waiting', 'running', 'in_doubt'].includes(label) || refusal.code === 'payment_retried')
    return { charged: joined(nothing, there), now: refusalWords(refusal, tongue) };
  const stands = isAsPaid(key) || ['going_back', 'written_off', 'corrected'].includes(label);
  const next = isGivingBack ? 'refused_back_now' : stands ? 'refused_paid_now' : 'refused_over_now';
  return { charged: joined(nothing, there), now: wordsOf(language, next) };
}

/**
 * Why a request failed and what to do; tilld's own English text where no other exists.
 * @param {{ readonly code: string, readonly message: string }} refusal
 * @param {Pick<Tongue, 'language'>} tongue
 */
export function refusalWords({ code, message }, { language }) {
  const key = `refusal_${code}`;
  return wordsOf(language, isWordKey(key) ? key : 'refusal_unknown', { reason: message });
}

/**
 * Facts beside the outcome: what the terminal had reported, and the payment that it belongs to.
 * @param {MoneyFacts} payment
 * @param {OutcomeKey} key
 * @param {Tongue} tongue
 * @returns {readonly string[]}
 */
function besideOf(payment, key, { language }) {
  const { in_doubt, had_approval, receipt_number: number, corrects, corrected_by } = payment;
  const approval = in_doubt && had_approval;
  const isLatePart = key === 'paid_part' && payment.cancel_requested_at !== null;
  return [
    isLatePart ? wordsOf(language, 'task_cancel_too_late') : '',
    approval && number === null ? wordsOf(language, 'had_approval') : '',
    approval && number !== null ? wordsOf(language, 'had_approval_receipt', { number }) : '',
    corrects === null ? '' : wordsOf(language, 'corrects', { id: corrects }),
    corrected_by === null ? '' : wordsOf(language, 'corrected_by', { id: corrected_by }),
  ].filter((text) => text !== '');
}

/** @param {OutcomeKey} key */
function isEndWithoutMoney(key) {
  return ['declined', 'cancelled', 'failed'].includes(LABEL_OF[key]);
}

/**
 * Why it ended without moving money; null once the evidence contradicts that.
 * @param {MoneyFacts} payment
 * @param {OutcomeKey} key
 * @param {Tongue} tongue
 */
function whyOf(payment, key, { language }) {
  return isEndWithoutMoney(key) ? endWords(payment, language) : null;
}

/** @param {ReturnType<typeof whyOf>} why */
function whyText(why) {
  const text = why === null ? '' : joined(why.text, why.more);
  return text === '' || /[.!?]$/.test(text) ? text : `${text}.`;
}
