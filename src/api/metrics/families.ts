/** A metric family of `/metrics`. `seconds`, `bytes`: the unit is part of the name, as Prometheus requires. */
export interface Family {
  readonly type: 'gauge' | 'counter' | 'histogram';
  readonly help: string;
  readonly labels?: readonly string[];
}

/** Every metric family by its name. Names are stable, more may be added. Tests compare this folder's README and the dashboard with this table. */
export const FAMILIES = {
  tilld_info: {
    type: 'gauge',
    help: 'Always 1; its labels say which release runs on what.',
    labels: ['version', 'node', 'environment', 'service'],
  },
  tilld_can_sell: { type: 'gauge', help: 'Whether a payment could be taken now.' },
  tilld_can_report: { type: 'gauge', help: 'Whether outcomes reach the service.' },
  tilld_is_fresh: { type: 'gauge', help: 'Whether mirrored data is fresh.' },
  tilld_unknown_outcomes: { type: 'gauge', help: 'Payments whose outcome is not known.' },
  tilld_open_tasks: { type: 'gauge', help: 'What only a person can do and has not done.' },
  tilld_payments_total: {
    type: 'counter',
    help: 'Payments, refunds and voids that ended since the start, by their outcome.',
    labels: ['type', 'outcome'],
  },
  tilld_payment_seconds: {
    type: 'histogram',
    help: 'From the first byte to the terminal until the outcome was on disk.',
  },
  tilld_lane_waiting: {
    type: 'gauge',
    help: 'Payments that wait in front of a terminal.',
    labels: ['device'],
  },
  tilld_terminal_state: {
    type: 'gauge',
    help: '1 for the state that each terminal is in, 0 for the others.',
    labels: ['device', 'state'],
  },
  tilld_oldest_unreported_seconds: {
    type: 'gauge',
    help: 'Age of the oldest outcome that the service does not have.',
  },
  tilld_outbox_pending: { type: 'gauge', help: 'Reports that wait for the service.' },
  tilld_outbox_parked: { type: 'gauge', help: 'Reports that wait for a person.' },
  tilld_link_down: { type: 'gauge', help: 'Why the service cannot be used.', labels: ['reason'] },
  tilld_service_clock_skew_seconds: { type: 'gauge', help: "How far the service's clock is ahead of ours." },
  tilld_sync_freshness_seconds: {
    type: 'gauge',
    help: 'Seconds since a stream was complete; NaN: it never was.',
    labels: ['provider', 'resource'],
  },
  tilld_sync_parked: {
    type: 'gauge',
    help: 'Records of a stream that wait for a person or a mapping.',
    labels: ['provider', 'resource'],
  },
  tilld_sync_held: {
    type: 'gauge',
    help: 'Whether a stream holds deletes back for a person.',
    labels: ['provider', 'resource'],
  },
  tilld_sync_rows: {
    type: 'gauge',
    help: 'Rows of a stream that are mirrored.',
    labels: ['provider', 'resource'],
  },
  tilld_sync_runs_total: {
    type: 'counter',
    help: 'Runs of a stream since the start, by their outcome.',
    labels: ['provider', 'resource', 'outcome'],
  },
  tilld_sync_failures_total: {
    type: 'counter',
    help: 'Runs of a stream since the start that failed or wait, by their cause and the status of the provider, empty where it gave no answer.',
    labels: ['provider', 'resource', 'cause', 'status'],
  },
  tilld_provider_webhooks_total: {
    type: 'counter',
    help: 'Webhooks of providers since the start, accepted or refused.',
    labels: ['provider', 'outcome'],
  },
  tilld_integration_paused: {
    type: 'gauge',
    help: 'Integrations that wait until a person resumes them.',
    labels: ['provider'],
  },
  tilld_disk_free_bytes: { type: 'gauge', help: 'Bytes that are free for the state folder.' },
  tilld_database_bytes: { type: 'gauge', help: 'Size of the books and of their write-ahead log.' },
  tilld_archive_bytes: {
    type: 'gauge',
    help: 'Size of the archive of the history of old payments and of its log.',
  },
  tilld_journal_archived_rows: { type: 'gauge', help: 'Rows of the journal that went to the archive.' },
  tilld_event_loop_delay_seconds: {
    type: 'gauge',
    help: 'How late the event loop was since the last look, by quantile.',
    labels: ['quantile'],
  },
  tilld_resident_memory_bytes: { type: 'gauge', help: 'Memory that the process holds.' },
  tilld_start_time_seconds: { type: 'gauge', help: 'When the process was started, in Unix time.' },
} as const satisfies Readonly<Record<string, Family>>;

export type FamilyName = keyof typeof FAMILIES;

export type GaugeName = {
  [Name in FamilyName]: (typeof FAMILIES)[Name]['type'] extends 'gauge' ? Name : never;
}[FamilyName];

/** The value of a gauge. */
export interface Sample {
  readonly name: GaugeName;
  readonly labels?: Readonly<Record<string, string>>;
  readonly value: number;
}
