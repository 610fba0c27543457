import type { FleetCommandState } from './contract/fleet.ts';

interface FleetOperator {
  readonly name: string;
  readonly key: string;
}

/** How the connection to the hub of the fleet is. Instants in epoch ms. */
export interface FleetMembership {
  readonly hubUrl: string;
  readonly tenant: string;
  readonly shop: string;
  readonly agentId: string;
  /** The number of the newest row of the journal. */
  readonly journalEnd: number;
  /** Those whose commands this shop takes, with their public Ed25519 keys, base64url. */
  readonly operators: readonly FleetOperator[];
  /** Oldest first; `at` in epoch ms. */
  readonly commands: readonly {
    readonly id: string;
    readonly at: number;
    readonly kind: string;
    readonly operator: string;
    readonly state: FleetCommandState;
    readonly details: string | null;
    readonly task?: { readonly end: FleetTask['task']['end'] } | undefined;
  }[];
  /** Settings of the hub by their revisions; `running` null: the files of the shop alone. */
  readonly configuration: {
    readonly running: number | null;
    readonly attempted: { readonly revision: number; readonly state: 'waiting' | 'judged' } | null;
    readonly failed: { readonly revision: number; readonly why: string; readonly at: number } | null;
  };
  readonly link: {
    readonly lastExchangeAt: number | null;
    readonly trouble: string | null;
    readonly isRefused: boolean;
    readonly quarantined: string | null;
    /** The number of the row that the hub wants next; null: not known yet. */
    readonly nextSeq: number | null;
  };
}

/** What an operator of the fleet asks a person of this shop for. */
export type AskedOfPerson = { readonly reason?: string | undefined } & (
  | { readonly kind: 'end_of_day' | 'adopt'; readonly device_id: string }
  | { readonly kind: 'resolve'; readonly payment_id: string }
  | { readonly kind: 'retry_report' | 'drop_report'; readonly report_id: string }
);

/** A task that an operator of the fleet asks for. Instants in epoch ms. */
export interface FleetTask {
  /** Of the command, too. */
  readonly id: string;
  readonly at: number;
  /** The name that this shop gave to the operator's key. */
  readonly operator: string;
  readonly until: number;
  readonly task: {
    readonly command: AskedOfPerson;
    /** Who has begun it; null: no person. */
    readonly begun: { readonly by: string } | null;
    readonly end: {
      readonly state: 'done' | 'declined' | 'expired' | 'not_needed';
      readonly by: string | null;
      readonly at: number;
      readonly words: string;
    } | null;
  };
}

/** What a person has done; `settlementId`: a close, whose end is not known yet. */
export interface PerformedTask {
  readonly settlementId: string | null;
  readonly words: string;
}

/** The shop's place in a fleet. */
export interface FleetMember {
  /** `joined` is null where it belongs to none. */
  view(): { readonly joined: FleetMembership | null };
  /** @throws FLEET_JOINED, HUB_URL_INVALID, INVITATION_INVALID, HUB_UNREACHABLE */
  join(hubUrl: string, code: string, operators: readonly FleetOperator[]): Promise<unknown>;
  /** @throws FLEET_NOT_JOINED */
  leave(): Promise<void>;
  /** What operators ask of people here, oldest first; also what has ended. */
  tasks(): readonly FleetTask[];
  /** Runs the local action of a person. @param by their name @throws TASK_UNKNOWN, TASK_DONE, and what the work throws: then the task stays open */
  performTask(
    id: string,
    by: string,
    work: (command: AskedOfPerson) => Promise<PerformedTask>,
  ): Promise<FleetTask>;
  /** @throws TASK_UNKNOWN, TASK_DONE, STORAGE_FULL, STORAGE_FAILED */
  declineTask(id: string, by: string, reason: string): FleetTask;
}
