import { createHash, randomUUID } from 'node:crypto';
import { type Clock, sleep } from '../../base/clock.ts';
import { AppError, messageOf } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import { Wakeup } from '../../base/wakeup.ts';
import type { SignedCommand } from '../contract/command.ts';
import { type Exchange, Exchanged, MOST_STATE_BYTES } from '../contract/exchange.ts';
import type { AgentState } from '../contract/state.ts';
import type { Commands, NamedOperator } from './commands.ts';
import { type HubClient, HubRefusal } from './hub-client.ts';
import type { JournalSource } from './journal-source.ts';
import { shipJournal } from './ship-journal.ts';

/** Between two exchanges, and half as much or half more: ten thousand shops do not come at once. */
const EXCHANGE_MS = 60_000;
/** New rows are sent so long after the first of them: a payment makes several. */
const GATHER_MS = 1_000;
const FIRST_PAUSE_MS = 2_000;
const LONGEST_PAUSE_MS = 15 * 60_000;

export interface FleetLinkDeps {
  readonly client: Pick<HubClient, 'post'>;
  readonly journal: JournalSource;
  /** What the hub shows of this shop; it is sent where it has changed. */
  readonly state: () => AgentState;
  readonly commands: Pick<Commands, 'outcomes' | 'reported' | 'take'>;
  /** This shop at the hub. */
  readonly agentId: string;
  /** Those whose commands it takes. */
  readonly operators: readonly NamedOperator[];
  readonly version: string;
  readonly clock: Clock;
  /** From 0 up to 1. */
  readonly random: () => number;
  readonly log: Log;
}

/** How the connection to the hub is. Instants in epoch ms. */
export interface LinkView {
  readonly lastExchangeAt: number | null;
  /** What went wrong last, in words; null: nothing. */
  readonly trouble: string | null;
  /** The hub does not know this agent, or has revoked it. */
  readonly isRefused: boolean;
  /** Why the hub gives this agent no commands; null: it gives them. */
  readonly quarantined: string | null;
  /** The number of the row that the hub wants next; null: not known yet. */
  readonly nextSeq: number | null;
}

/**
 * Tells the hub how this shop is, and sends it the journal. No payment waits for it: it reads what is stored, and where the hub is away it tries again later.
 */
export class FleetLink {
  readonly #deps: FleetLinkDeps;
  readonly #wakeup = new Wakeup();
  readonly #stopping = new AbortController();
  readonly #runId = randomUUID();
  #exchanges = 0;
  #stateSent: string | null = null;
  #running: Promise<void> | null = null;
  #commanded: Promise<void> | null = null;
  #hasOutcomes = false;
  #noEarlierThan = 0;
  #view: LinkView = {
    lastExchangeAt: null,
    trouble: null,
    isRefused: false,
    quarantined: null,
    nextSeq: null,
  };

  constructor(deps: FleetLinkDeps) {
    this.#deps = deps;
  }

  get view(): LinkView {
    return this.#view;
  }

  start(): void {
    this.#running ??= this.#run();
  }

  /** The journal has grown. */
  journalGrew(): void {
    this.#wakeup.notify();
  }

  /** A task of an operator has ended. */
  outcomesChanged(): void {
    this.#hasOutcomes = true;
    this.#wakeup.notify();
  }

  async stop(): Promise<void> {
    this.#stopping.abort(new AppError('FLEET_STOPPED', 'the connection to the hub was ended'));
    await this.#running;
    await this.#commanded;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    let failures = 0;
    while (!signal.aborted) {
      try {
        await this.#exchange(signal);
        failures = 0;
        await this.#shipUntil(EXCHANGE_MS * (0.5 + this.#deps.random()), signal);
      } catch (error) {
        if (signal.aborted) return;
        failures += 1;
        await this.#pauseAfter(error, failures, signal);
      }
    }
  }

  async #exchange(signal: AbortSignal): Promise<void> {
    const { client, clock, version, journal, commands } = this.#deps;
    const state = this.#changedState();
    const outcomes = commands.outcomes();
    this.#hasOutcomes = false;
    this.#exchanges += 1;
    const report: Exchange = {
      epoch: journal.epoch,
      run_id: this.#runId,
      exchange: this.#exchanges,
      now: clock.now(),
      version,
      ...(state === null ? {} : { state: state.value }),
      ...(outcomes.length === 0 ? {} : { outcomes: [...outcomes] }),
    };
    const answer = await client.post('/v1/exchange', report, Exchanged, signal);
    this.#stateSent = answer.has_state ? (state?.digest ?? this.#stateSent) : null;
    commands.reported(outcomes);
    const { quarantined } = answer;
    this.#note({ lastExchangeAt: clock.now(), quarantined, trouble: null, isRefused: false });
    this.#take(answer.commands, signal);
    const next = answer.journal?.next_seq ?? null;
    await this.#ship(next, signal);
  }

  /** The shop's own journal or disk may fail: the hub is there, and is shown the shop's state as before. */
  async #ship(next: number | null, signal: AbortSignal): Promise<void> {
    const { client, journal, log } = this.#deps;
    try {
      this.#note({ nextSeq: await shipJournal(client, journal, next, signal) });
    } catch (error) {
      if (signal.aborted || isOfHub(error)) throw error;
      const trouble = `the journal could not be sent: ${messageOf(error)}`;
      if (trouble !== this.#view.trouble)
        log.error({ error: messageOf(error) }, 'the journal could not be sent');
      this.#note({ trouble });
    }
  }

  /** A command may take minutes, and the journal does not wait for it. */
  #take(handed: readonly SignedCommand[], signal: AbortSignal): void {
    const { commands, agentId, operators, log } = this.#deps;
    if (handed.length === 0 || this.#commanded) return;
    this.#commanded = commands
      .take(handed, agentId, operators, signal)
      .then((hasOutcomes) => {
        this.#hasOutcomes = hasOutcomes;
      })
      .catch((error: unknown) => log.error({ error: messageOf(error) }, 'a command of the hub was not taken'))
      .finally(() => {
        this.#commanded = null;
        this.#wakeup.notify();
      });
  }

  /** Sends new rows as they come, for so long; another epoch has another cursor. */
  async #shipUntil(ms: number, signal: AbortSignal): Promise<void> {
    const { clock, journal } = this.#deps;
    const until = clock.monotonic() + ms;
    const { epoch } = journal;
    for (;;) {
      await this.#grownWithin(until - clock.monotonic(), signal);
      if (clock.monotonic() >= until) return;
      await sleep(clock, GATHER_MS, signal, 'rows of the journal gather');
      if (journal.epoch !== epoch || this.#mayExchangeEarly()) return;
      await this.#ship(this.#view.nextSeq, signal);
    }
  }

  /** Outcomes are reported at once, but not for a hub that goes on handing over commands: each costs a write. */
  #mayExchangeEarly(): boolean {
    const now = this.#deps.clock.monotonic();
    if (!this.#hasOutcomes || now < this.#noEarlierThan) return false;
    this.#noEarlierThan = now + EXCHANGE_MS;
    return true;
  }

  async #grownWithin(ms: number, signal: AbortSignal): Promise<void> {
    const late = new AbortController();
    const timer = this.#deps.clock.timer('exchange with the hub', ms, () => late.abort());
    try {
      await this.#wakeup.wait(AbortSignal.any([late.signal, signal]));
    } finally {
      timer.stop();
    }
    signal.throwIfAborted();
  }

  /** What is not sent, because it has not changed, is null. */
  #changedState(): { readonly value: AgentState; readonly digest: string } | null {
    const value = this.#deps.state();
    const text = JSON.stringify(value);
    const digest = createHash('sha256').update(text).digest('hex');
    if (digest === this.#stateSent) return null;
    const isTooLarge = Buffer.byteLength(text) > MOST_STATE_BYTES;
    return { value: isTooLarge ? { too_large: true } : value, digest };
  }

  /** Full jitter: after an outage ten thousand shops come back one by one. */
  async #pauseAfter(error: unknown, failures: number, signal: AbortSignal): Promise<void> {
    const { clock, random, log } = this.#deps;
    const isRefused = error instanceof HubRefusal && (error.status === 401 || error.status === 403);
    const words = messageOf(error);
    if (words !== this.#view.trouble) log.warn({ error: words }, 'the hub of the fleet was not reached');
    this.#note({ trouble: words, isRefused });
    this.#stateSent = null;
    const most = isRefused
      ? LONGEST_PAUSE_MS
      : Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(failures, 16));
    const asked = error instanceof HubRefusal ? (error.retryAfterMs ?? 0) : 0;
    try {
      await sleep(clock, Math.max(asked, most * random()), signal, 'the hub again');
    } catch {
      // It was stopped.
    }
  }

  #note(changed: Partial<LinkView>): void {
    this.#view = { ...this.#view, ...changed };
  }
}

/** Whether the hub, or the way to it, has failed; else it is this shop itself. */
function isOfHub(error: unknown): boolean {
  if (error instanceof HubRefusal) return true;
  return error instanceof AppError && /^(NET|HUB)_/.test(error.code);
}
