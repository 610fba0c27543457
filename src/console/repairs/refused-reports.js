import { ApiError } from '../app/api.js';

/** @import { Api } from '../app/api.js' */
/** @import { OutboxReport } from '../app/contract.js' */

const TOO_MANY_WAIT_MS = 1_000;

/**
 * Refused reports with one cause.
 * @typedef {object} RefusedReports
 * @property {string} cause why, without what differs between them (ids, numbers): the key of the group
 * @property {RefusedKind} kind
 * @property {string} example the service's answer to the oldest of them
 * @property {readonly OutboxReport[]} reports oldest first
 * @property {readonly { currency: string, minor: number }[]} totals the amounts of their payments, each payment once
 * @property {number} waiting how many other reports wait behind them
 */

const KINDS = /** @type {const} */ ([
  'refused',
  'key_mismatch',
  'not_at_service',
  'parent_not_at_service',
  'answer_names_parent',
  'rejected',
]);
/** @typedef {(typeof KINDS)[number] | 'other'} RefusedKind */

/**
 * What is known of a cause by the words of its first report.
 * @param {string} cause @returns {RefusedKind}
 */
export function kindOf(cause) {
  return KINDS.find((kind) => cause === kind || cause.startsWith(`${kind}:`)) ?? 'other';
}

/** Ids, quoted words, and numbers that are no HTTP status. */
const DIFFERS = /[0-9a-f]{8}-[0-9a-f-]{27}|"[^"]*"|\b\w*_\w*\d\w*\b|\d{4,}/gi;

/**
 * Refused reports by cause, those of the most money first.
 * @param {readonly OutboxReport[]} reports oldest first
 * @returns {readonly RefusedReports[]}
 */
export function refusedByCause(reports) {
  const groups = Map.groupBy(
    reports.filter(({ status }) => status === 'parked'),
    ({ last_error: error }) => (error ?? '').replace(/^plain_body: /, '').replace(DIFFERS, '…'),
  );
  return [...groups]
    .map(([cause, group]) => ({
      cause,
      kind: kindOf(cause),
      example: group[0]?.last_error ?? '',
      reports: group,
      totals: totalsOf(group),
      waiting: waitingBehindAny(group, reports),
    }))
    .sort((one, other) => highest(other.totals) - highest(one.totals));
}

/**
 * The open reports that the service gets only after this one: the later ones of its payment, and those of refunds and voids of it.
 * @param {OutboxReport} report
 * @param {readonly OutboxReport[]} reports oldest first
 */
export function waitingBehind(report, reports) {
  const later = reports.slice(reports.findIndex(({ id }) => id === report.id) + 1);
  return later.filter(({ payment_id: payment, parent_id: parent }) =>
    [payment, parent].includes(report.payment_id),
  );
}

/**
 * How many wait behind any of these; one look at each report, however many there are.
 * @param {readonly OutboxReport[]} group
 * @param {readonly OutboxReport[]} reports oldest first
 */
function waitingBehindAny(group, reports) {
  const inGroup = new Set(group);
  const before = new Set();
  let waiting = 0;
  for (const report of reports) {
    const { payment_id: payment, parent_id: parent } = report;
    if (before.has(payment) || before.has(parent)) waiting += 1;
    if (inGroup.has(report)) before.add(payment);
  }
  return waiting;
}

/**
 * Tries all of them again, one after another; where the daemon has had too many requests, the next one waits.
 * @param {Pick<Api, 'post'>} api
 * @param {readonly OutboxReport[]} reports
 * @param {(ms: number) => Promise<void>} [wait]
 */
export async function retryAll(
  api,
  reports,
  wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
) {
  for (const { id } of reports) {
    while (!(await wasRetried(api, id))) await wait(TOO_MANY_WAIT_MS);
  }
}

/** False: too many requests. @param {Pick<Api, 'post'>} api @param {string} id */
async function wasRetried(api, id) {
  try {
    await api.post(`/v2/outbox/${id}/retry`, {});
    return true;
  } catch (error) {
    if (error instanceof ApiError && error.status === 429) return false;
    throw error;
  }
}

/**
 * The oldest open report that this one waits for; `why`: it is of the same payment, or of the sale that is given back.
 * @param {OutboxReport} report
 * @param {readonly OutboxReport[]} reports oldest first
 * @returns {{ first: OutboxReport, why: 'payment' | 'sale' } | null} null: it waits for none of these
 */
export function waitsFor(report, reports) {
  const { payment_id: payment, parent_id: parent } = report;
  const first = reports.find(({ id, payment_id: of }) => id === report.id || of === payment || of === parent);
  if (first === undefined || first.id === report.id) return null;
  return { first, why: first.payment_id === report.payment_id ? 'payment' : 'sale' };
}

/** @param {readonly OutboxReport[]} reports */
function totalsOf(reports) {
  const payments = new Map(reports.map((report) => [report.payment_id, report]));
  const byCurrency = Map.groupBy(payments.values(), ({ currency }) => currency);
  return [...byCurrency].map(([currency, group]) => ({
    currency,
    minor: group.reduce((sum, { amount_minor: minor }) => sum + minor, 0),
  }));
}

/** @param {RefusedReports['totals']} totals */
function highest(totals) {
  return Math.max(0, ...totals.map(({ minor }) => minor));
}
