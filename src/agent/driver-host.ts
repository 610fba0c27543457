import { AsyncLocalStorage } from 'node:async_hooks';
import { AppError, messageOf } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import type { Link, OpenLink } from '../terminal/link.ts';
import type { DriverContext, Observer, TerminalDriver, TerminalSession } from '../terminal/ports.ts';

/** Where drivers run. */
export interface DriverHost {
  /** The same driver, whose faults end its own session and nothing else. */
  host(driver: TerminalDriver): TerminalDriver;
}

/** A session as its faults see it. */
interface Contained {
  fail(error: unknown): void;
}

/**
 * Drivers in this process. What a driver begins (timers, promises, listeners) carries the session that it belongs to, so an error that nothing
 * handles is known to be that session's: its calls reject with DRIVER_FAULT, its link is abandoned, and a payment in it is in doubt and
 * recovered. Callbacks of the core run outside: an error of the core ends the process, as everywhere else.
 */
export class InProcessDriverHost implements DriverHost {
  readonly #log: Log;
  readonly #session = new AsyncLocalStorage<Contained | null>();

  constructor(log: Log) {
    this.#log = log;
  }

  /** An error that nothing handled. @returns whether it was a driver's: then its session is over */
  claim(error: unknown): boolean {
    const session = this.#session.getStore();
    session?.fail(error);
    return Boolean(session);
  }

  host(driver: TerminalDriver): TerminalDriver {
    return {
      open: async (link, context, signal) => {
        const { run, within, dial } = this.#contained(link, context);
        const inCore = <T>(callback: () => T): T => this.#session.run(null, callback);
        const outside = { ...context, dial, transcript: transcriptOf(context, inCore) };
        const session = await within(() => driver.open(link, outside, signal));
        return containedSession(session, {
          within,
          inCore,
          inDriver: (call) => this.#session.run(run, call),
        });
      },
    };
  }

  #contained(first: Link, context: DriverContext) {
    const { deviceId } = context;
    let link = first;
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
        void link.abandon().catch(() => undefined);
      },
    };
    // What still runs of a driver that failed sends nothing on a new connection: its dialogue has ended in doubt.
    const dial: OpenLink = async (signal) => {
      if (fault) throw fault;
      link = await context.dial(signal);
      if (!fault) return link;
      await link.abandon();
      throw fault;
    };
    const within: Within = async (call) => {
      if (fault) throw fault;
      return Promise.race([this.#session.run(run, async () => call()), broken.promise]);
    };
    return { run, within, dial };
  }
}

type Within = <T>(call: () => Promise<T>) => Promise<T>;

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
  const { references, ownTransaction, lateEnd, openPreauthorisations } = session;
  return {
    get capabilities() {
      return session.capabilities;
    },
    identify: (signal) => within(() => session.identify(signal)),
    readiness: (signal) => within(() => session.readiness(signal)),
    lastTransaction: (signal) => within(() => session.lastTransaction(signal)),
    execute: (command, observer, signal) =>
      within(() => session.execute(command, observerOf(observer, inCore), signal)),
    abort: () => inDriver(() => session.abort()),
    endOfDay: (progress, signal) =>
      within(() => session.endOfDay((text) => inCore(() => progress(text)), signal)),
    totals: (signal) => within(() => session.totals(signal)),
    journal: (signal) => within(() => session.journal(signal)),
    close: () => inDriver(() => session.close()),
    ...(references && { references: () => references.call(session) }),
    ...(ownTransaction && {
      ownTransaction: (reference, signal) => within(() => ownTransaction.call(session, reference, signal)),
    }),
    ...(lateEnd && {
      lateEnd: (command, observer, signal) =>
        within(() => lateEnd.call(session, command, observerOf(observer, inCore), signal)),
    }),
    ...(openPreauthorisations && {
      openPreauthorisations: (signal) => within(() => openPreauthorisations.call(session, signal)),
    }),
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
