import type {
  AskedReference,
  MoneyCommand,
  Observer,
  TerminalDriver,
  TerminalSession,
} from '../../src/terminal/ports.ts';
import type { RunLedger } from './books.ts';

/** The driver as it is, with the judge at its door: it sees who speaks when, and for which attempt. */
export function watchedDriver(driver: TerminalDriver, deviceId: string, books: RunLedger): TerminalDriver {
  return {
    open: async (link, context, signal) => watched(await driver.open(link, context, signal), deviceId, books),
  };
}

function watched(session: TerminalSession, deviceId: string, books: RunLedger): TerminalSession {
  let speaking = 0;
  const alone = async <T>(what: string, task: () => Promise<T>): Promise<T> => {
    speaking += 1;
    if (speaking > 1) books.accuse('overlaps', `${what} while another dialogue runs on the same link`);
    try {
      return await task();
    } finally {
      speaking -= 1;
    }
  };
  return {
    get capabilities() {
      return session.capabilities;
    },
    identify: (signal) => alone('identify', () => session.identify(signal)),
    readiness: (signal) => alone('readiness', () => session.readiness(signal)),
    lastTransaction: (signal) =>
      alone('last transaction', () => {
        books.reads(deviceId);
        return session.lastTransaction(signal);
      }),
    execute: (command, observer, signal) =>
      alone('a payment', () => {
        books.pays(deviceId, command.attemptId, command.amount.minor);
        const over = () => books.over(deviceId);
        return session
          .execute(command, heard(observer, command.attemptId, books, 'approved'), signal)
          .finally(over);
      }),
    ...(session.references ? { references: () => must(session.references?.()) } : {}),
    ...(session.ownTransaction
      ? {
          ownTransaction: (reference: AskedReference, signal: AbortSignal) =>
            alone('own transaction', () => {
              books.reads(deviceId);
              return must(session.ownTransaction?.(reference, signal));
            }),
        }
      : {}),
    ...(session.lateEnd
      ? {
          lateEnd: (command: MoneyCommand, observer: Observer, signal: AbortSignal) =>
            alone('late end', () =>
              must(session.lateEnd?.(command, heard(observer, command.attemptId, books, 'ended'), signal)),
            ),
        }
      : {}),
    endOfDay: (progress, signal) =>
      alone('end of day', () => {
        books.closes(deviceId);
        return session.endOfDay(progress, signal).finally(() => books.over(deviceId));
      }),
    totals: (signal) => alone('totals', () => session.totals(signal)),
    journal: (signal) => alone('journal', () => session.journal(signal)),
    abort: () => session.abort(),
    close: () => session.close(),
  };
}

/** The observer as it is; the judge hears when an approval may be acknowledged. A late one finds its attempt in doubt, and is kept there. */
function heard(
  observer: Observer,
  attemptId: string,
  books: RunLedger,
  approvedIs: 'approved' | 'ended',
): Observer {
  return {
    accepted: () => observer.accepted(),
    progress: (text) => observer.progress(text),
    beforeAcknowledge: (report, end) => {
      const mayGo = observer.beforeAcknowledge(report, end);
      if (!mayGo) return false;
      if (end !== undefined) books.saysYes(attemptId, 'ended');
      else if (report.verdict === 'approved') books.saysYes(attemptId, approvedIs);
      else if (report.verdict === 'unclear') books.saysYes(attemptId, 'unclear');
      return true;
    },
    beforeEnd: (outcome) => {
      const mayGo = observer.beforeEnd(outcome);
      if (mayGo && outcome.kind !== 'not_started') books.saysYes(attemptId, 'ended');
      return mayGo;
    },
  };
}

function must<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('the session has lost a method');
  return value;
}
