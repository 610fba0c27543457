import type { Health, Status } from '../api/contract/status.ts';
import { Metrics } from '../api/metrics/metrics.ts';
import type { StatusSource } from '../api/ports.ts';
import { renderTerminalDevice } from '../api/render/terminal-device.ts';
import { counted } from '../base/counted.ts';
import { DRAINED } from '../payment/guards/drain-lease.ts';
import { copyMessage } from '../payment/recovery/database-identity.ts';
import type { DeviceView } from '../terminal/device.ts';
import { openDamageTask } from './damaged-database.ts';
import { samplesOf } from './gauges.ts';
import { LINK_REASONS } from './service.ts';
import type { StatusReportDeps } from './status-report-deps.ts';

/** The three indicators of the shop: can it sell, can it report, is the shown data fresh. */
export class StatusReport implements StatusSource {
  readonly #deps: StatusReportDeps;
  readonly #metrics: Metrics;

  constructor(deps: StatusReportDeps) {
    this.#deps = deps;
    this.#metrics = deps.metrics ?? new Metrics();
  }

  health(): Health {
    const devices = this.#deps.queues.list();
    const link = this.#link();
    const shortage = this.#deps.disk?.trouble() ?? null;
    const canTake = devices.some((device) => device.status === 'ready' || device.status === 'busy');
    const drained = this.#deps.drain?.isHeld ?? false;
    const canSell = canTake && shortage === null && !drained;
    const { refused } = this.#deps.money.outbox.summary();
    const canReport = link.state === 'online' && refused === 0;
    const reasons: Health['reasons'] = [];
    if (shortage) reasons.push({ code: shortage.kind, message: shortage.message });
    if (drained) reasons.push({ code: 'draining', message: DRAINED });
    if (devices.length === 0) reasons.push({ code: 'no_devices', message: 'no terminal is configured' });
    for (const view of devices) {
      const { device, statusReason } = view;
      if (statusReason !== null)
        reasons.push({ code: reasonCode(view), message: `${device.name}: ${statusReason}` });
    }
    const { journal } = this.#deps.money;
    if (journal.kind === 'broken') {
      reasons.push({ code: 'journal_broken', message: `row ${journal.seq} of the journal: ${journal.what}` });
    }
    const stopped = this.#deps.archive?.() ?? null;
    if (stopped !== null) reasons.push({ code: 'archive_stopped', message: `${ARCHIVE_STOPPED} ${stopped}` });
    const wrong = this.#deps.clockTrouble?.() ?? null;
    if (wrong !== null) reasons.push({ code: 'clock_wrong', message: wrong });
    reasons.push(...this.#damage(), ...this.#copied(), ...this.#uncompared(devices));
    if (link.state === 'offline')
      reasons.push({ code: 'service_offline', message: link.reason ?? 'the service was not reached yet' });
    if (refused > 0)
      reasons.push({
        code: 'report_refused',
        message: `the service refused ${counted(refused, 'report', 'reports')}: tillctl outbox list`,
      });
    const isFresh = this.#deps.syncs?.isFresh() ?? true;
    reasons.push(...(this.#deps.syncs?.reasons() ?? []));
    return { can_sell: canSell, can_report: canReport, is_fresh: isFresh, reasons };
  }

  status(): Omit<Status, 'urls' | 'time_zone'> {
    const { version, environment, queues, money } = this.#deps;
    const { pending, oldestAt, parked } = money.outbox.summary();
    return {
      version,
      environment,
      ...this.health(),
      terminals: queues.list().map(renderTerminalDevice),
      link: this.#link(),
      outbox: { pending, oldest_at: oldestAt === null ? null : new Date(oldestAt).toISOString(), parked },
      integrations: [...(this.#deps.syncs?.streams() ?? [])],
      upgrade: this.upgrade(),
    };
  }

  /** The work that a newer release still has to do on older payments; null: none. */
  upgrade(): Status['upgrade'] {
    const progress = this.#deps.backfill?.() ?? null;
    return progress && { step: 'ids_in_one_form', ...progress };
  }

  metrics(): Promise<string> {
    return this.#metrics.text(samplesOf(this.#deps, this.health()));
  }

  /** The database was found damaged, and staff have not confirmed the losses yet. */
  #damage(): Health['reasons'] {
    const task = openDamageTask(this.#deps.money.payments);
    return task ? [{ code: 'storage_quarantined', message: task.message }] : [];
  }

  /** The database may be a copy of one that is used elsewhere, and not every terminal was compared yet. */
  #copied(): Health['reasons'] {
    const reason = this.#deps.requestGuard?.stoppedAsCopy() ?? null;
    return reason === null ? [] : [{ code: 'database_copied', message: copyMessage(reason) }];
  }

  /** The last transaction of a terminal still has to be compared. */
  #uncompared(devices: readonly DeviceView[]): Health['reasons'] {
    const { payments, epoch } = this.#deps.money;
    return devices.flatMap(({ device }) => {
      const task = payments.openTasksOfDevice(device.id).find(({ kind }) => kind === 'memory_lost');
      if (!task && (epoch.since === 0 || payments.wasDatabaseCompared(device.id))) return [];
      return [{ code: 'memory_lost', message: task?.message ?? `${device.name}: ${READING_FIRST}` }];
    });
  }

  #link(): Status['link'] {
    const { link, serviceEnvironment: environment = null } = this.#deps;
    const mock = environment === 'mock' ? MOCK : null;
    if (!link) return { state: 'off', reason: mock, code: null, environment, clock_skew_ms: null };
    const { state, reason: code } = link.health.view;
    const reason = code === null ? null : LINK_REASONS[code];
    return { state, reason, code, environment, clock_skew_ms: link.serviceTime.skewMs() };
  }
}

/** A terminal that answers and needs a person is not called unconnected. */
function reasonCode({ status, needs }: DeviceView): string {
  if (status !== 'offline' || needs === null) return `terminal_${status}`;
  return needs === 'terminal_printer' ? needs : 'terminal_needs_person';
}

const ARCHIVE_STOPPED =
  'No old payments are archived any more; everything else goes on. tillctl doctor says what to do.';
const MOCK = 'the service is a mock: no payment is taken from it, and none is reported to it';

const READING_FIRST =
  'tilld has lost its memory of the last payments and reads the terminal before the next one.';
