import type { ResourceManifest } from '../../../src/integration/connector.ts';

/** What a process is told to sync. */
export interface Order {
  readonly folder: string;
  readonly sourceUrl: string;
  /** Empty: into the local mirror. */
  readonly sinkUrl: string;
  readonly manifest: ResourceManifest;
  readonly sweepEveryMs: number;
  /** It begins with a full resync. */
  readonly wantsFull: boolean;
  /** The planted bug: the place is one commit and the rows of the page are another. */
  readonly splitsCommits: boolean;
}

/** What a process says of a run that ended. */
export interface RunEnd {
  readonly outcome: string;
  readonly code: string | null;
}

export const STREAM = { integration: 'provider_a', resource: 'invoices' } as const;
