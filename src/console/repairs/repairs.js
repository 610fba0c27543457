import { areaOf } from './finding-area.js';
import { refusedByCause } from './refused-reports.js';

/** @import { Device, Examination, Integration, OutboxReport, Payment, Role, Status, Task } from '../app/contract.js' */
/** @import { RefusedReports } from './refused-reports.js' */
/**
 * `what` and `why` are for ops alone.
 * @typedef {Pick<Examination['findings'][number], 'id' | 'level'> & Partial<Examination['findings'][number]>} Finding
 */
/** @typedef {Status['reasons'][number]} Reason */

/**
 * One thing that is wrong. `least`: the least role that can mend it; `level`: an error stops sales, reports or syncs, or is about money.
 * @typedef {{ readonly key: string, readonly level: 'error' | 'warning', readonly least: Role } & About} Repair
 */
/**
 * @typedef {{ kind: 'doubt', payment: Payment }
 *   | { kind: 'task', task: Task }
 *   | { kind: 'refused', refused: RefusedReports }
 *   | { kind: 'terminal', device: Device }
 *   | { kind: 'service', link: Status['link'] }
 *   | { kind: 'integration', provider: string, paused: 'credentials' | 'errors' | 'refused', reason: string }
 *   | { kind: 'stream', provider: string, resource: string, state: 'paused' | 'held' | 'stale', reason: string }
 *   | { kind: 'recipe', provider: string, file: string }
 *   | { kind: 'on_hold', provider: string, count: number, isAll: boolean }
 *   | { kind: 'state', reason: Reason }
 *   | { kind: 'finding', finding: Finding }} About
 */

/**
 * What the page knows. What a role does not read is empty.
 * @typedef {object} Known
 * @property {Status} status
 * @property {readonly Payment[]} doubts unknown outcomes that a person decides
 * @property {readonly Task[]} tasks open ones
 * @property {readonly OutboxReport[]} reports open ones, oldest first
 * @property {readonly Integration[]} integrations
 * @property {readonly Finding[]} findings of the doctor
 */

/**
 * Everything that is wrong, each thing once: money first, then what stops sales, reports, data, and the machine.
 * @param {Known} known
 * @returns {readonly Repair[]}
 */
export function repairsOf(known) {
  const live = [
    ...known.doubts.map((payment) => repair('error', 'staff', payment.id, { kind: 'doubt', payment })),
    ...tasksOf(known),
    ...refusedByCause(known.reports).map((refused) =>
      repair('error', 'ops', refused.cause, { kind: 'refused', refused }),
    ),
    ...known.status.terminals.flatMap(terminalOf),
    ...statesOf(known, STOPPING, 'error'),
    ...serviceOf(known.status),
    ...integrationsOf(known),
    ...streamsOf(known),
    ...onHoldOf(known.status),
    ...recipesOf(known),
    ...statesOf(known, LOOKED_AT, 'warning'),
  ];
  return [...live, ...findingsOf(known.findings, live)];
}

/**
 * @param {Repair['level']} level
 * @param {Role} least
 * @param {string} key within its kind
 * @param {About} about
 * @returns {Repair}
 */
function repair(level, least, key, about) {
  return { key: `${about.kind} ${key}`, level, least, ...about };
}

/** Kinds that are only listed at the till, or that a repair of another kind is about. */
const NOT_LISTED = ['offline_approval', 'invoice_unconfirmed'];

/** @param {Known} known */
function tasksOf({ tasks, reports, doubts }) {
  const refused = reports.filter(({ status }) => status === 'parked').map(({ payment_id: id }) => id);
  const asked = doubts.map(({ id }) => id);
  return tasks
    .filter(({ kind }) => !NOT_LISTED.includes(kind))
    .filter(({ kind, payment_id: id }) => {
      if (id === null) return true;
      return kind === 'report_rejected'
        ? !refused.includes(id)
        : kind !== 'terminal_replaced' || !asked.includes(id);
    })
    .map((task) => repair(task.asked ? 'warning' : 'error', leastOf(task), task.id, { kind: 'task', task }));
}

/** @param {Task} task @returns {Role} */
function leastOf({ kind, asked }) {
  if (asked) return asked.role;
  return kind === 'terminal_not_believed' ? 'ops' : 'staff';
}

/** @param {Device} device */
function terminalOf(device) {
  const { status, id } = device;
  const about = /** @type {const} */ ({ kind: 'terminal', device });
  if (status === 'wrong_terminal') return [repair('error', 'ops', id, about)];
  if (status === 'offline') return [repair('error', 'staff', id, about)];
  return [];
}

/** What stops sales or must be looked at before the next one. */
const STOPPING = [
  'no_devices',
  'disk_full',
  'read_only',
  'storage_failed',
  'storage_quarantined',
  'memory_lost',
  'database_copied',
  'journal_broken',
];
const LOOKED_AT = ['clock_wrong', 'archive_stopped', 'mirror_unreadable'];
/** The kind of the task that asks for the same. */
const TASK_OF = /** @type {Readonly<Record<string, string>>} */ ({
  storage_quarantined: 'storage_damaged',
  memory_lost: 'memory_lost',
});

/**
 * @param {Known} known
 * @param {readonly string[]} codes
 * @param {Repair['level']} level
 */
function statesOf({ status, tasks }, codes, level) {
  return status.reasons
    .filter(({ code }) => codes.includes(code) && !tasks.some(({ kind }) => kind === TASK_OF[code]))
    .map((reason) => repair(level, 'ops', `${reason.code} ${reason.message}`, { kind: 'state', reason }));
}

/** @param {Status} status */
function serviceOf({ link }) {
  return link.state === 'offline' ? [repair('error', 'ops', '', { kind: 'service', link })] : [];
}

/** Every message about an integration or a list begins with its name: `provider_a`, `provider_a/customers`. @param {Reason} reason */
function nameIn({ message }) {
  const [name = ''] = message.split(' ', 1);
  const [provider = '', resource = ''] = name.split('/');
  return { provider, resource };
}

/** @param {Known} known */
function integrationsOf({ status, integrations }) {
  return status.reasons.flatMap((reason) => {
    const { provider } = nameIn(reason);
    if (reason.code === 'integration_refused')
      return [
        repair('error', 'ops', provider, {
          kind: 'integration',
          provider,
          paused: 'refused',
          reason: reason.message,
        }),
      ];
    if (reason.code !== 'integration_paused') return [];
    const isKey = integrations.find((one) => one.provider === provider)?.paused_reason === 'credentials';
    const paused = isKey ? 'credentials' : 'errors';
    return [
      repair('error', 'ops', provider, { kind: 'integration', provider, paused, reason: reason.message }),
    ];
  });
}

const STREAM_STATES = /** @type {Readonly<Record<string, 'paused' | 'held' | 'stale'>>} */ ({
  sync_stream_paused: 'paused',
  sync_held: 'held',
  sync_stale: 'stale',
});

/** A list of an integration that is paused as a whole is not named again. @param {Known} known */
function streamsOf({ status }) {
  return status.reasons.flatMap((reason) => {
    const state = STREAM_STATES[reason.code];
    const { provider, resource } = nameIn(reason);
    const isPausedWhole = status.integrations.some((one) => one.provider === provider && one.paused);
    if (state === undefined || (isPausedWhole && state !== 'held')) return [];
    const about = /** @type {const} */ ({
      kind: 'stream',
      provider,
      resource,
      state,
      reason: reason.message,
    });
    return [
      repair(state === 'stale' ? 'warning' : 'error', 'ops', `${provider}/${resource} ${state}`, about),
    ];
  });
}

/** Records on hold, by provider. @param {Status} status */
function onHoldOf({ integrations, reasons }) {
  const byProvider = Map.groupBy(
    integrations.filter(({ parked }) => parked > 0),
    ({ provider }) => provider,
  );
  return [...byProvider].map(([provider, streams]) => {
    const count = streams.reduce((sum, { parked }) => sum + parked, 0);
    const isAll = reasons.some(
      (reason) => reason.code === 'sync_all_parked' && nameIn(reason).provider === provider,
    );
    return repair(isAll ? 'error' : 'warning', 'ops', provider, { kind: 'on_hold', provider, count, isAll });
  });
}

/** Recipe files that are not what runs. @param {Known} known */
function recipesOf({ integrations }) {
  return integrations.flatMap(({ provider, changed_recipe: file }) =>
    file === null ? [] : [repair('warning', 'ops', provider, { kind: 'recipe', provider, file })],
  );
}

/** Checks about what the live list has, and has no more once it is mended, while the doctor's finding stays until it looks again. */
const LIVE = [
  'in-doubt',
  'tasks',
  'can-sell',
  'terminal',
  'can-report',
  'is-fresh',
  'sync-held',
  'sync-parked',
];
/** Checks of the doctor that a live repair already shows: one of this kind, or a state with this code. */
const SHOWN_LIVE = /** @type {Readonly<Record<string, readonly string[]>>} */ ({
  outbox: ['refused'],
  service: ['service'],
  integrations: ['integration', 'stream'],
  sync: ['integration', 'stream'],
  clock: ['clock_wrong'],
  'disk-space': ['disk_full'],
});

/**
 * @param {readonly Finding[]} findings
 * @param {readonly Repair[]} live
 */
function findingsOf(findings, live) {
  const shown = live.map((one) => (one.kind === 'state' ? one.reason.code : one.kind));
  const isNew = (/** @type {Finding} */ { id }) =>
    !LIVE.includes(id) &&
    !SHOWN_LIVE[id]?.some((name) => shown.includes(name)) &&
    // Where every terminal is connected again, its port is mended.
    (id !== 'port' || shown.includes('terminal'));
  return findings
    .filter(({ level }) => level !== 'ok')
    .filter(isNew)
    .map((finding, no) =>
      repair(finding.level === 'fail' ? 'error' : 'warning', 'ops', `${finding.id} ${no}`, {
        kind: 'finding',
        finding,
      }),
    )
    .sort((one, other) => rankOf(one) - rankOf(other));
}

/** Errors first; among them what is about payments. @param {Repair} repair */
function rankOf(repair) {
  const isMoney = repair.kind === 'finding' && areaOf(repair.finding.id).area === 'payments';
  return (repair.level === 'error' ? 0 : 2) - (isMoney ? 1 : 0);
}
