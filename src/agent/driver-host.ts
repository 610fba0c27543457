import { AsyncLocalStorage } from 'node:async_hooks';
import type { Clock, Timer } from '../base/clock.ts';
import { AppError, messageOf } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import type { DriverHost, HostedManifest } from '../terminal/driver-host.ts';
import type { Link, OpenLink } from '../terminal/link.ts';
import type { DriverContext, Observer, TerminalDriver, TerminalSession } from '../terminal/ports.ts';
import { clockOf, linkOf } from './driver-entries.ts';
import { DriverTurns } from './driver-turns.ts';

/** How long a driver has for its end after the signal of a call was aborted. */
const GIVE_UP_MS = 5000;

/** A session as its faults see it. */
interface Contained {
  fail(error: unknown): void;
}

/**
 * Drivers in this process. What a driver begins (timers, promises, listeners) carries the session that it belongs to, so an error that nothing
 * handles is known to be that session's: its calls reject with DRIVER_FAULT, its link is abandoned, and a payment in it is in doubt and
 * recovered. A call that goes on after its signal was aborted ends the session, too. Callbacks of the core run outside: an error of the core ends
 * the process, as everywhere else. A busy loop holds the process: {@link DriverTurns} names it.
 */
export class InProcessDriverHost implements DriverHost {
  readonly #log: Log;
  readonly #session = new AsyncLocalStorage<Contained | null>();

  readonly #turns: DriverTurns;

  constructor(log: Log, turns = new DriverTurns(log)) {
    this.#log = log;
    this.#turns = turns;
  }

  async driverOf(manifest: HostedManifest): Promise<TerminalDriver> {
    return this.host(await manifest.load());
  }

  /** An error that nothing handled. @returns whether it was a driver's: then its session is over */
  claim(error: unknown): boolean {
    const session = this.#session.getStore();
    session?.fail(error);
    return Boolean(session);
  }

  /** The same driver, whose faults end its own session and nothing else. */
  host(driver: TerminalDriver): TerminalDriver {
    return {
      open: async (link, context, signal) => {
        const { run, within, contained } = this.#contained(link, context);
        const enter = () => this.#turns.enter(context.deviceId);
        const inCore = <T>(callback: () => T): T =>
          this.#turns.inCore(() => this.#session.run(null, callback));
        const outside: DriverContext = {
          ...context,
          clock: clockOf(context.clock, enter),
          dial: async (until) => linkOf(await contained(context.dial, until), enter),
          openBeside: async (until) => linkOf(await contained(context.openBeside, until), enter),
          transcript: transcriptOf(context, inCore),
        };
        const session = await within((until) => driver.open(linkOf(link, enter), outside, until), signal);
        return containedSession(session, {
          within,
          inCore,
          inDriver: (call) => {
            enter();
            return this.#session.run(run, call);
          },
        });
      },
    };
  }

  #contained(first: Link, context: DriverContext) {
    const { deviceId, clock } = context;
    const links = new Set([first]);
    const broken = Promise.withResolvers<never>();
    broken.promise.catch(() => undefined);
    let fault: AppError | null = null;
    const run: Contained = {
      fail: (error) => {
        if (fault) return;
        fault = new AppError('DRIVER_FAULT', `the driver of this terminal failed: ${messageOf(error)}`, {
          retry: 'safe',
        });
        const stack = error instanceof Error ? error.stack : undefined;
        this.#log.error(
          { device: deviceId, error: messageOf(error), stack },
          'driver failed: its session is ended',
        );
        broken.reject(fault);
        for (const link of links) void link.abandon().catch(() => undefined);
      },
    };
    // What still runs of a driver that failed sends nothing on a new connection: its dialogue has ended in doubt.
    const contained = async (open: OpenLink, signal: AbortSignal): Promise<Link> => {
      if (fault) throw fault;
      const link = await open(signal);
      if (fault) {
        await link.abandon();
        throw fault;
      }
      links.add(link);
      void link.closed.then(() => links.delete(link));
      return link;
    };
    const within: Within = async (call, signal) => {
      if (fault) throw fault;
      const met = whenIgnored(signal, clock, () => run.fail(new Error('it did not end when it was told to')));
      this.#turns.enter(deviceId);
      try {
        return await Promise.race([this.#session.run(run, async () => call(signal)), broken.promise]);
      } finally {
        met();
      }
    };
    return { run, within, contained };
  }
}

/**
 * Calls `giveUp` when a call goes on for too long after its signal was aborted: it would hold the queue of its terminal for ever.
 * @returns tells that it has ended
 */
function whenIgnored(signal: AbortSignal, clock: Clock, giveUp: () => void): () => void {
  let timer: Timer | undefined;
  const onAbort = () => {
    timer = clock.timer('driver gives up', GIVE_UP_MS, giveUp);
  };
  if (signal.aborted) onAbort();
  else signal.addEventListener('abort', onAbort, { once: true });
  return () => {
    signal.removeEventListener('abort', onAbort);
    timer?.stop();
  };
}

type Within = <T>(call: (signal: AbortSignal) => Promise<T>, signal: AbortSignal) => Promise<T>;

interface Sides {
  /** A call of the driver; rejects when the session is over. */
  readonly within: Within;
  readonly inCore: <T>(callback: () => T) => T;
  readonly inDriver: <T>(call: () => T) => T;
}

function transcriptOf({ transcript }: DriverContext, inCore: Sides['inCore']): DriverContext['transcript'] {
  return { record: (direction, summary) => inCore(() => transcript.record(direction, summary)) };
}

/** Methods that the session does not have stay absent. */
function containedSession(session: TerminalSession, sides: Sides): TerminalSession {
  const { within, inCore, inDriver } = sides;
  const { references, ownTransaction, lateEnd, reprint } = session;
  return {
    get capabilities() {
      return session.capabilities;
    },
    identify: (signal) => within(session.identify.bind(session), signal),
    readiness: (signal) => within(session.readiness.bind(session), signal),
    lastTransaction: (signal) => within(session.lastTransaction.bind(session), signal),
    execute: (command, observer, signal) =>
      within((until) => session.execute(command, observerOf(observer, inCore), until), signal),
    abort: () => inDriver(() => session.abort()),
    endOfDay: (progress, signal) =>
      within((until) => session.endOfDay((text) => inCore(() => progress(text)), until), signal),
    totals: (signal) => within(session.totals.bind(session), signal),
    journal: (signal) => within(session.journal.bind(session), signal),
    close: () => inDriver(() => session.close()),
    ...(references && { references: () => references.call(session) }),
    ...(ownTransaction && {
      ownTransaction: (reference, signal) =>
        within((until) => ownTransaction.call(session, reference, until), signal),
    }),
    ...(lateEnd && {
      lateEnd: (command, observer, signal) =>
        within((until) => lateEnd.call(session, command, observerOf(observer, inCore), until), signal),
    }),
    ...(reprint && { reprint: (signal) => within(reprint.bind(session), signal) }),
  };
}

function observerOf(observer: Observer, inCore: Sides['inCore']): Observer {
  return {
    accepted: () => inCore(() => observer.accepted()),
    progress: (text) => inCore(() => observer.progress(text)),
    beforeAcknowledge: (report, end) => inCore(() => observer.beforeAcknowledge(report, end)),
    beforeEnd: (outcome) => inCore(() => observer.beforeEnd(outcome)),
  };
}
