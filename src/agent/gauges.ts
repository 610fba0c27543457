import type { Health } from '../api/contract/status.ts';
import type { Sample } from '../api/metrics/families.ts';
import type { ProcessView } from '../runtime/process-gauges.ts';
import { openTasksIn } from '../store/inspection/open-questions.ts';
import { cutOf } from '../store/journal/journal-cut.ts';
import type { DeviceStatus, Devices } from '../terminal/device.ts';
import { LINK_REASONS } from './service.ts';
import type { StatusReportDeps } from './status-report-deps.ts';
import type { SyncIndicators } from './sync-indicators.ts';

const STATES = ['ready', 'busy', 'recovering', 'offline', 'wrong_terminal'] as const satisfies DeviceStatus[];

/** The status report as gauges. */
export function samplesOf(deps: StatusReportDeps, health: Health): readonly Sample[] {
  return [
    infoOf(deps),
    { name: 'tilld_can_sell', value: Number(health.can_sell) },
    { name: 'tilld_can_report', value: Number(health.can_report) },
    { name: 'tilld_is_fresh', value: Number(health.is_fresh) },
    ...ofMoney(deps),
    ...ofTerminals(deps.queues),
    ...ofLink(deps),
    ...ofSyncs(deps.syncs),
    ...ofProcess(deps.process?.() ?? null),
  ];
}

function infoOf({ version, environment, serviceEnvironment }: StatusReportDeps): Sample {
  const labels = { version, node: process.versions.node, environment, service: serviceEnvironment ?? 'none' };
  return { name: 'tilld_info', labels, value: 1 };
}

function ofMoney({ money, clock }: StatusReportDeps): readonly Sample[] {
  const { pending, oldestAt, parked } = money.outbox.summary();
  const doubts = money.payments.openAttempts().filter(({ state }) => state.name === 'in_doubt');
  const age = oldestAt === null ? 0 : Math.max(0, (clock.now() - oldestAt) / 1000);
  return [
    { name: 'tilld_unknown_outcomes', value: doubts.length },
    { name: 'tilld_open_tasks', value: openTasksIn(money.database).length },
    { name: 'tilld_oldest_unreported_seconds', value: age },
    { name: 'tilld_outbox_pending', value: pending },
    { name: 'tilld_outbox_parked', value: parked },
    { name: 'tilld_journal_archived_rows', value: cutOf(money.database)?.seq ?? 0 },
  ];
}

function ofTerminals(queues: Devices): readonly Sample[] {
  return queues.list().flatMap(({ device, status, waiting }) => [
    { name: 'tilld_lane_waiting' as const, labels: { device: device.name }, value: waiting },
    ...STATES.map((state) => ({
      name: 'tilld_terminal_state' as const,
      labels: { device: device.name, state },
      value: Number(state === status),
    })),
  ]);
}

function ofLink({ link }: StatusReportDeps): readonly Sample[] {
  if (!link) return [];
  const skewMs = link.serviceTime.skewMs();
  const down = link.health.view.reason;
  return [
    ...Object.keys(LINK_REASONS).map((reason) => ({
      name: 'tilld_link_down' as const,
      labels: { reason },
      value: Number(reason === down),
    })),
    ...(skewMs === null ? [] : [{ name: 'tilld_service_clock_skew_seconds' as const, value: skewMs / 1000 }]),
  ];
}

function ofSyncs(syncs: SyncIndicators | undefined): readonly Sample[] {
  if (!syncs) return [];
  return [
    ...syncs.freshness().map(({ provider, resource, seconds }) => ({
      name: 'tilld_sync_freshness_seconds' as const,
      labels: { provider, resource },
      value: seconds ?? Number.NaN,
    })),
    ...syncs.streams().flatMap(({ provider, resource, parked, is_held: isHeld, rows }) => {
      const labels = { provider, resource };
      return [
        { name: 'tilld_sync_parked' as const, labels, value: parked },
        { name: 'tilld_sync_held' as const, labels, value: Number(isHeld) },
        { name: 'tilld_sync_rows' as const, labels, value: rows },
      ];
    }),
    ...syncs
      .paused()
      .map((provider) => ({ name: 'tilld_integration_paused' as const, labels: { provider }, value: 1 })),
  ];
}

function ofProcess(view: ProcessView | null): readonly Sample[] {
  if (!view) return [];
  return [
    ...(view.freeBytes === null ? [] : [{ name: 'tilld_disk_free_bytes' as const, value: view.freeBytes }]),
    { name: 'tilld_database_bytes', value: view.databaseBytes },
    { name: 'tilld_archive_bytes', value: view.archiveBytes },
    ...view.delays.map(([quantile, value]) => ({
      name: 'tilld_event_loop_delay_seconds' as const,
      labels: { quantile },
      value,
    })),
    { name: 'tilld_resident_memory_bytes', value: view.residentBytes },
    { name: 'tilld_start_time_seconds', value: view.startedAt },
  ];
}
