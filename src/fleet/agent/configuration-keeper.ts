import type { Clock, Timer } from '../../base/clock.ts';
import { AppError, messageOf } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import { CLOCKS_APART_MS } from '../contract/command.ts';
import type { ConfigurationCommand } from '../contract/configuration.ts';
import {
  type Attempt,
  approved,
  type ConfigurationPlace,
  type ConfigurationState,
  givenUp,
} from './configuration-state.ts';
import { maskedWords } from './masked-words.ts';

/** Between two looks at the terminals. */
const LOOK_MS = 500;
/** After a step that failed, as on a full disk: the shop sells meanwhile. */
const LOOK_AGAIN_MS = 60_000;
/** Every terminal is idle for so long before tilld drains them. */
const QUIET_MS = 5_000;
/** Drained for so long, what entered before the drain stands in a queue. */
const DRAINED_MS = 1_000;
/** Ends by itself where the process dies. */
const LEASE_MS = 15_000;
const MOST_WORDS = 1_000;

/** How a configuration is judged. */
export interface Judging {
  /** It has to hold for so long. */
  readonly holdsMs: number;
  /** What is amiss for so long is its fault. */
  readonly amissMs: number;
}

export const JUDGING: Judging = { holdsMs: 600_000, amissMs: 120_000 };

/** The shop as it is now; terminals by their ids. */
export interface ShopNow {
  /** Also where a drain alone keeps it from selling. */
  readonly canSell: boolean;
  readonly answering: readonly string[];
  readonly inDoubt: readonly string[];
  /** A payment, a close or a recovery runs or waits at a terminal. */
  readonly isBusy: boolean;
}

export interface ConfigurationKeeperDeps {
  readonly place: ConfigurationPlace;
  /** The revision that this process runs with; null: the shop's own files alone. */
  readonly running: number | null;
  /** The very checks of `tillctl config check`, with these settings over the shop's own files. @throws CONFIG_INVALID */
  readonly check: (settings: ConfigurationCommand['settings']) => Promise<void>;
  /** The digest of the shop's own settings, as its files have them now. @throws CONFIG_INVALID */
  readonly ownDigest: () => string;
  /** What a person has changed in the files since this process began, by its keys. @throws CONFIG_INVALID */
  readonly editedKeys: () => readonly string[];
  readonly shop: () => ShopNow;
  readonly drain: { readonly isHeld: boolean; begin(ms: number): void; end(): void };
  /** Whether changes may be made at this time of day, epoch ms. */
  readonly mayChange: (at: number) => boolean;
  /** Ends the process in an orderly way, and the service manager starts the next one; null: there is no service manager. */
  readonly restart: (() => void) | null;
  readonly judging: Judging;
  readonly clock: Clock;
  readonly log: Log;
}

/** What runs, what is tried, and what was given up, each by its revision. */
export interface ConfigurationView {
  readonly running: number | null;
  readonly attempted: { readonly revision: number; readonly state: 'waiting' | 'judged' } | null;
  readonly failed: { readonly revision: number; readonly why: string; readonly at: number } | null;
}

/**
 * Takes settings of a hub's operator, begins with them once every terminal is idle, judges them, and goes back to the last good ones by itself, without the hub. Each
 * step is on disk before it is taken; what a process that dies at its start leaves behind is judged by the next one (`begin` of the state).
 *
 * INVARIANTS:
 * - The process is ended by it only while the terminals are drained and idle.
 * - A revision never replaces a newer one, one that failed included.
 * - What fails here is logged, and the shop sells.
 */
export class ConfigurationKeeper {
  readonly #deps: ConfigurationKeeperDeps;
  #state: ConfigurationState | null = null;
  #timer: Timer | null = null;
  #isStopped = false;
  /** This process runs with settings that no longer hold. */
  #mustGoBack = false;
  /** An operator has asked for the next process. A process that ends by itself meanwhile has done it. */
  #mustRestart = false;
  /** Monotonic, of this process. */
  #judgedSince = 0;
  #quietSince: number | null = null;
  #drainedSince: number | null = null;
  #amissSince: number | null = null;

  constructor(deps: ConfigurationKeeperDeps) {
    this.#deps = deps;
  }

  /** Judges from now on, or waits to begin. Never throws: a state that cannot be read is logged. */
  start(): void {
    const { place, clock, log } = this.#deps;
    try {
      this.#state = place.read();
    } catch (error) {
      log.error({ error: messageOf(error) }, 'the configuration of the fleet cannot be read');
    }
    this.#judgedSince = clock.monotonic();
    this.#lookSoon();
  }

  stop(): void {
    this.#isStopped = true;
    this.#timer?.stop();
  }

  view(): ConfigurationView {
    const { running } = this.#deps;
    const { attempt = null, failed = null } = this.#state ?? {};
    const isJudged = attempt?.phase === 'trying' && running === attempt.revision;
    return {
      running,
      attempted: attempt && { revision: attempt.revision, state: isJudged ? 'judged' : 'waiting' },
      failed,
    };
  }

  /** @returns what becomes of it, in words. @throws FLEET_COMMAND_REFUSED */
  async take({ revision, settings, over }: ConfigurationCommand): Promise<string> {
    const own = await this.#refuseUnfit(revision, settings, over ?? null);
    const { good = null, failed = null } = this.#state ?? {};
    const attempt: Attempt = { revision, settings, phase: 'waiting', starts: 0, before: null };
    this.#keep({ newest: revision, own, good, attempt, failed });
    this.#lookSoon();
    return `revision ${revision} is checked, and begins once every terminal is idle`;
  }

  /** tilld starts again once every terminal is idle, in the shop's window. @returns what becomes of it, in words. @throws FLEET_COMMAND_REFUSED */
  takeRestart(): string {
    if (this.#deps.restart === null) throw refused(NO_MANAGER);
    const { attempt = null } = this.#state ?? {};
    if (attempt?.phase === 'trying')
      throw refused(`revision ${attempt.revision} is being judged: ask again once that has ended`);
    this.#mustRestart = true;
    this.#lookSoon();
    return 'tilld starts again once every terminal is idle';
  }

  /** The shop has left the fleet: its own files hold again. */
  forget(): void {
    this.#deps.place.remove();
    this.#state = null;
    this.#mustGoBack = this.#deps.running !== null;
    this.#mustRestart = false;
    this.#lookSoon();
  }

  /** @returns the digest of the shop's own settings */
  async #refuseUnfit(
    revision: number,
    settings: ConfigurationCommand['settings'],
    over: string | null,
  ): Promise<string> {
    const { restart, clock } = this.#deps;
    const newest = this.#state?.newest ?? 0;
    if (restart === null) throw refused(NO_MANAGER);
    if (revision <= newest)
      throw refused(`revision ${newest} was taken before, and revision ${revision} is not newer`);
    if (revision * 1_000 > clock.now() + CLOCKS_APART_MS)
      throw refused('its revision is larger than the second of its signature, so that none could follow');
    if (this.#state?.attempt?.phase === 'trying')
      throw refused(
        `revision ${this.#state.attempt.revision} is being judged: sign it again once that has ended`,
      );
    const why = await this.#unfit(settings);
    if (why !== null) throw refused(why);
    const own = this.#deps.ownDigest();
    if (this.#state !== null && this.#state.own !== own && over !== own)
      throw refused(
        `a person at the shop has changed settings of its own since revision ${newest}. Ask there; to overrule it, sign again with --over ${own}`,
      );
    return own;
  }

  /** Why the shop cannot begin with these settings, in words; null: it can. */
  async #unfit(settings: ConfigurationCommand['settings']): Promise<string | null> {
    try {
      await this.#deps.check(settings);
      const edited = this.#deps.editedKeys();
      return edited.length === 0
        ? null
        : `a person at the shop is changing its files (${edited.join(', ')}), and tilld was not started with them yet`;
    } catch (error) {
      return messageOf(error);
    }
  }

  #lookSoon(ms = LOOK_MS): void {
    const hasWork = this.#mustGoBack || this.#mustRestart || (this.#state?.attempt ?? null) !== null;
    this.#timer?.stop();
    if (this.#isStopped || !hasWork) return;
    this.#timer = this.#deps.clock.timer('configuration of the fleet', ms, () => {
      this.#look().then(
        () => this.#lookSoon(),
        (error: unknown) => {
          this.#deps.log.error({ error: messageOf(error) }, 'the configuration of the fleet was not kept');
          this.#busy();
          this.#lookSoon(LOOK_AGAIN_MS);
        },
      );
    });
  }

  async #look(): Promise<void> {
    const attempt = this.#state?.attempt ?? null;
    if (this.#mustGoBack) return this.#whenIdle(() => this.#restart('for the last good configuration'));
    if (attempt?.phase === 'waiting') {
      if (this.#deps.mayChange(this.#deps.clock.now())) return this.#whenIdle(() => this.#beginWith(attempt));
      return this.#busy();
    }
    if (attempt?.phase === 'trying') return this.#judge(attempt);
    if (!this.#mustRestart) return;
    if (this.#deps.mayChange(this.#deps.clock.now()))
      return this.#whenIdle(() => this.#restart('because an operator has asked for it'));
    this.#busy();
  }

  /** Drains the terminals once they were idle for a while, and does it while they are. */
  async #whenIdle(doIt: () => void | Promise<void>): Promise<void> {
    const { shop, drain, clock } = this.#deps;
    const isDrainedByAnother = drain.isHeld && this.#drainedSince === null;
    if (isDrainedByAnother || shop().isBusy) return this.#busy();
    const now = clock.monotonic();
    this.#quietSince ??= now;
    if (now - this.#quietSince < QUIET_MS) return;
    drain.begin(LEASE_MS);
    this.#drainedSince ??= now;
    if (now - this.#drainedSince >= DRAINED_MS) await doIt();
  }

  /** A payment came first: it is not held up. */
  #busy(): void {
    if (this.#drainedSince !== null) this.#deps.drain.end();
    this.#drainedSince = null;
    this.#quietSince = null;
  }

  /** The files may have changed while it waited. */
  async #beginWith(attempt: Attempt): Promise<void> {
    const why = await this.#unfit(attempt.settings);
    // While it was checked, a newer one may have come.
    if (this.#state?.attempt !== attempt || this.#isStopped) return;
    if (why !== null) {
      this.#busy();
      return this.#giveUp(why);
    }
    const { canSell, answering, inDoubt } = this.#deps.shop();
    const before = { can_sell: canSell, answering: [...answering], in_doubt: [...inDoubt] };
    this.#keep({ ...this.#state, attempt: { ...attempt, phase: 'trying', starts: 0, before } });
    this.#restart(`for revision ${attempt.revision}`);
  }

  #restart(why: string): void {
    const { restart, log } = this.#deps;
    log.warn({ why }, 'tilld is restarted by its fleet');
    this.#isStopped = true;
    if (restart === null) log.warn({}, 'it holds from the next start on');
    else restart();
  }

  #judge(attempt: Attempt): void {
    const { clock, judging, running } = this.#deps;
    // The process that ends has not begun with it.
    if (running !== attempt.revision) return;
    const now = clock.monotonic();
    const amiss = amissIn(this.#deps.shop(), attempt.before);
    if (amiss === null) this.#amissSince = null;
    else this.#amissSince ??= now;
    if (amiss !== null && now - (this.#amissSince ?? now) >= judging.amissMs) {
      this.#giveUp(amiss);
      this.#mustGoBack = true;
    } else if (amiss === null && now - this.#judgedSince >= judging.holdsMs && this.#state !== null) {
      this.#keep(approved(this.#state));
      this.#deps.log.info({ revision: attempt.revision }, 'the configuration of the fleet is good');
    }
  }

  #giveUp(why: string): void {
    if (this.#state === null) return;
    this.#deps.log.error(
      { revision: this.#state.attempt?.revision, why },
      'configuration of the fleet given up',
    );
    this.#keep(givenUp(this.#state, maskedWords(why, MOST_WORDS) ?? '', this.#deps.clock.now()));
  }

  #keep(state: ConfigurationState): void {
    this.#deps.place.keep(state);
    this.#state = state;
  }
}

/** What is worse than before, in words; null: nothing. */
function amissIn({ canSell, answering, inDoubt }: ShopNow, before: Attempt['before']): string | null {
  const silent = (before?.answering ?? []).filter((id) => !answering.includes(id));
  if (silent.length > 0) return `terminals that answered before do not answer with it: ${silent.join(', ')}`;
  if (!canSell && before?.can_sell !== false) return 'the shop could not sell with it, and could before';
  const doubts = inDoubt.filter((id) => !before?.in_doubt.includes(id));
  return doubts.length > 0
    ? `the outcome of a payment is not known since it runs: ${doubts.join(', ')}`
    : null;
}

const NO_MANAGER = 'no service manager (systemd) has started tilld here, so none would start it again';

function refused(why: string): AppError {
  return new AppError('FLEET_COMMAND_REFUSED', why);
}
