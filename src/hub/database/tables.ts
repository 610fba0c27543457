import type { ColumnType, Generated } from 'kysely';

type Optional<T> = ColumnType<T | null, T | undefined, T | null>;
type Instant = ColumnType<Date, Date | undefined, Date>;
type Severity = 'info' | 'warning' | 'critical';
type RolloutState = 'draft' | 'running' | 'paused' | 'done' | 'stopped';

/** The tables as the migrations leave them. */
export interface Tables {
  readonly tenant: { id: Generated<string>; name: string; created_at: Instant };
  readonly shop: { id: Generated<string>; tenant_id: string; name: string; created_at: Instant };
  readonly invitation: {
    code_hash: string;
    tenant_id: string;
    shop_id: string;
    expires_at: Date;
    used_at: ColumnType<Date | null, Date | undefined, Date>;
  };
  readonly agent: {
    id: Generated<string>;
    tenant_id: string;
    shop_id: string;
    public_key: string;
    version: string;
    created_at: Instant;
    seen_at: Optional<Date>;
    exchanged_at: Optional<Date>;
    revoked_at: Optional<Date>;
    quarantined: Optional<string>;
    epoch: Optional<string>;
    run_id: Optional<string>;
    exchange: Generated<number>;
    former_run_id: Optional<string>;
    turns: Generated<number>;
    clock_offset_ms: Optional<number>;
    state: ColumnType<unknown, string | undefined, string>;
  };
  readonly agent_release: {
    id: Generated<number>;
    tenant_id: string;
    agent_id: string;
    released_at: Date;
    actor: string;
    reason: string;
    quarantined: string;
    epoch: string;
    branch: number;
    seq: number;
    hash: string;
  };
  readonly agent_run: {
    agent_id: string;
    tenant_id: string;
    run_id: string;
    exchange: number;
  };
  readonly journal_cursor: {
    agent_id: string;
    tenant_id: string;
    epoch: string;
    branch: number;
    first_seq: number;
    next_seq: number;
    last_hash: string;
    began_at: Instant;
  };
  readonly journal: {
    tenant_id: string;
    agent_id: string;
    epoch: string;
    branch: number;
    seq: number;
    attempt_id: string;
    at: number;
    event: string;
    from_state: string;
    to_state: string;
    details: string;
    hash: string;
    damaged: string | null;
    received_at: Date;
  };
  readonly command: {
    id: string;
    tenant_id: string;
    agent_id: string;
    operator: string;
    kind: string;
    envelope: string;
    created_at: Instant;
    expires_at: Date;
    state: Optional<string>;
    details: Optional<string>;
    ended_at: Optional<Date>;
    reason: Optional<string>;
    decided_by: Optional<string>;
    decided_at: Optional<number>;
    of_rollout: Generated<boolean>;
  };
  readonly rollout: {
    id: Generated<string>;
    tenant_id: string;
    name: string;
    created_at: Instant;
    created_by: string;
    ring_percents: number[];
    ring_minutes: number[];
    most_failures: number | null;
    state: ColumnType<RolloutState, RolloutState | undefined, RolloutState>;
    paused_by: Optional<string>;
    ring: Generated<number>;
    ring_ended_at: Optional<Date>;
  };
  readonly rollout_target: {
    command_id: string;
    tenant_id: string;
    rollout_id: string;
    agent_id: string;
    revision: number;
    position: number;
    ring: Optional<number>;
    started_at: Optional<Date>;
    handed_at: Optional<Date>;
    excused: Generated<boolean>;
    ended_at: Optional<Date>;
    outcome: Optional<string>;
    details: Optional<string>;
  };
  readonly alert: {
    id: Generated<string>;
    tenant_id: string;
    agent_id: Optional<string>;
    kind: string;
    rule: string;
    severity: Severity;
    details: string;
    since: Date;
    raised_at: Instant;
    ended_at: Optional<Date>;
  };
  readonly alert_rule: {
    id: Generated<string>;
    tenant_id: string;
    name: string;
    kind: string;
    shops: string | null;
    minutes: number;
    severity: Severity;
    enabled: boolean;
  };
  readonly alert_rule_destination: { tenant_id: string; rule_id: string; destination_id: string };
  readonly alert_destination: {
    id: Generated<string>;
    tenant_id: string;
    name: string;
    kind: 'webhook' | 'email';
    language: 'en' | 'de' | 'fr';
    url: string | null;
    secret: string | null;
    recipients: string[] | null;
  };
  readonly alert_delivery: {
    id: Generated<string>;
    tenant_id: string;
    alert_id: string;
    destination_id: string;
    event: 'raised' | 'ended';
    created_at: Instant;
    attempts: Generated<number>;
    next_at: Optional<Date>;
    delivered_at: Optional<Date>;
    last_error: Optional<string>;
  };
  readonly audit: {
    id: Generated<string>;
    tenant_id: string;
    at: Instant;
    actor: string;
    action: string;
    details: string;
  };
  readonly operator: {
    id: Generated<string>;
    tenant_id: string;
    name: string;
    role: 'viewer' | 'operator' | 'admin';
    token_hash: string;
    created_at: Instant;
  };
  readonly operator_session: {
    session_hash: string;
    tenant_id: string;
    operator_id: string;
    expires_at: Date;
  };
}
