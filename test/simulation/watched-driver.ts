import type {
  Observer,
  TerminalDriver,
  TerminalSession,
  TransactionReport,
} from '../../src/terminal/ports.ts';
import type { Books } from './books.ts';

/** The driver as it is, with the judge at its door: it sees who speaks when, and for which attempt. */
export function watchedDriver(driver: TerminalDriver, deviceId: string, books: Books): TerminalDriver {
  return {
    open: async (link, context, signal) => watched(await driver.open(link, context, signal), deviceId, books),
  };
}

function watched(session: TerminalSession, deviceId: string, books: Books): TerminalSession {
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
        const heard = {
          ...delegating(observer),
          beforeAcknowledge: (report: TransactionReport) => {
            const mayGo = observer.beforeAcknowledge(report);
            if (mayGo && report.verdict === 'approved') books.saysYes(command.attemptId);
            return mayGo;
          },
        };
        const over = () => books.over(deviceId);
        return session.execute(command, heard, signal).finally(over);
      }),
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

function delegating(observer: Observer): Observer {
  return {
    accepted: () => observer.accepted(),
    progress: (text) => observer.progress(text),
    beforeAcknowledge: (report) => observer.beforeAcknowledge(report),
    beforeEnd: (outcome) => observer.beforeEnd(outcome),
  };
}
