import { isDeepStrictEqual } from 'node:util';
import type { StreamRecord } from '../../../src/integration/ports.ts';
import type { RunReport } from '../../../src/integration/run/engine.ts';
import { recordOf } from '../../support/hostile/provider.ts';
import type { Table, TrueRow } from '../../support/hostile/table.ts';

export const SYNC_CRIMES = [
  'missed',
  'altered',
  'extra',
  'wrongly_deleted',
  'reader_lost',
  'state_too_large',
  'repeated_too_much',
  'stuck',
  'asked_too_soon',
  'asked_though_refused',
  'probed_too_soon',
  'ran_in_quiet_hours',
  'ran_off_schedule',
  'paused_wrongly',
  'complete_without_data',
] as const;
export type SyncCrime = (typeof SYNC_CRIMES)[number];

export interface Accusation {
  readonly crime: SyncCrime;
  readonly text: string;
  readonly atMs: number;
}

/** What one history came to. */
export interface SyncResult {
  readonly seed: number;
  readonly rows: number;
  readonly runs: number;
  readonly kills: number;
  readonly pages: number;
  readonly swaps: number;
  readonly buried: number;
  readonly held: number;
  readonly stateBytes: number;
  /** Of the provider's week that this seed plays too; null: it plays none. */
  readonly provider: Readonly<Record<ProviderSum, number>> | null;
  readonly accusations: readonly Accusation[];
}

/** What is counted of a provider's week. */
export const PROVIDER_SUMS = [
  'requests',
  'probes',
  'pauses',
  'limited',
  'forbidden',
  'unauthorised',
  'errors',
  'lives',
] as const;
export type ProviderSum = (typeof PROVIDER_SUMS)[number];

/** Watches a history, and knows what the source really holds. */
export class Verdicts {
  readonly #table: Table;
  readonly #elapsed: () => number;
  readonly #accusations: Accusation[] = [];
  readonly #sums = { runs: 0, kills: 0, pages: 0, swaps: 0, buried: 0, held: 0, stateBytes: 0 };
  #run = 0;
  /** Pages of this run that came and are in no commit. */
  #inFlight = 0;
  /** After a kill: the page that must be asked for first; undefined: any. */
  #expected: string | null | undefined;

  constructor(table: Table, elapsed: () => number) {
    this.#table = table;
    this.#elapsed = elapsed;
  }

  accuse(crime: SyncCrime, text: string): void {
    this.#accusations.push({ crime, text, atMs: this.#elapsed() });
  }

  /** `killed`: the stream as the run before left it, which was killed. The place that the disk knows is the place to go on. */
  beginRun(killed: StreamRecord | null): void {
    this.#run += 1;
    this.#inFlight = 0;
    const progress = killed?.state.progress;
    const goesOn = progress && progress.leg !== 'settle' && (progress.kind === 'full' || !killed?.wantsFull);
    this.#expected = goesOn ? progress.scan.token : undefined;
  }

  note({ outcome }: RunReport): void {
    this.#sums.runs += 1;
    if (outcome === 'held') this.#sums.held += 1;
  }

  /** @returns the run that asks */
  asked(token: string | null): number {
    if (this.#expected !== undefined && token !== this.#expected)
      this.accuse('repeated_too_much', `after a kill ${token} was asked for, not ${this.#expected}`);
    this.#expected = undefined;
    return this.#run;
  }

  /** What comes after somebody has stopped its run is nobody's. */
  delivered(run: number): void {
    if (run === this.#run) this.#inFlight += 1;
    this.#sums.pages += 1;
  }

  committed(): void {
    this.#inFlight = 0;
  }

  killed(): void {
    this.#sums.kills += 1;
    if (this.#inFlight > 1) this.accuse('repeated_too_much', `a kill costs ${this.#inFlight} pages`);
  }

  state(bytes: number, most: number): void {
    this.#sums.stateBytes = Math.max(this.#sums.stateBytes, bytes);
    if (bytes > most) this.accuse('state_too_large', `${bytes} bytes`);
  }

  swapped(before: ReadonlySet<string>, after: ReadonlySet<string>): void {
    this.#sums.swaps += 1;
    const lost = [...before].filter((id) => !after.has(id) && this.#table.exists(id));
    if (lost.length > 0)
      this.accuse('reader_lost', `the swap took ${lost.length} valid rows, ${lost.slice(0, 3)}`);
  }

  removed(ids: readonly string[]): void {
    this.#sums.buried += ids.length;
    for (const id of ids) if (this.#table.exists(id)) this.accuse('wrongly_deleted', id);
  }

  result(
    seed: number,
    shown: ReadonlyMap<string, unknown>,
    horizon: number | null,
    print: ((line: string) => void) | undefined,
  ): SyncResult {
    const rows = this.#table.rows();
    const wanted = [...rows.values()].filter(
      ({ deleted, updatedAt, isTimeless }) =>
        !deleted && (horizon === null || (!isTimeless && updatedAt >= horizon)),
    );
    for (const row of wanted) {
      const body = shown.get(row.id);
      if (!isVersion(body, row)) {
        this.accuse('missed', `${row.id} version ${row.version}, shown: ${JSON.stringify(body)}`);
        print?.(`missed ${JSON.stringify(row)}`);
      } else if (!isDeepStrictEqual(body, recordOf(row).fields))
        this.accuse('altered', `${row.id}: ${JSON.stringify(body)}`);
    }
    for (const id of shown.keys()) if (!this.#table.exists(id)) this.accuse('extra', id);
    return { seed, rows: rows.size, ...this.#sums, provider: null, accusations: this.#accusations };
  }
}

function isVersion(body: unknown, { version }: TrueRow): boolean {
  return body instanceof Object && Reflect.get(body, 'version') === version;
}
