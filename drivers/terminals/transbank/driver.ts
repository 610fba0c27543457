import {
  AppError,
  type DriverContext,
  type Link,
  reasonOf,
  StxLine,
  sleep,
  type TerminalDriver,
  type TerminalSession,
} from '../../../src/driver-kit/terminal.ts';
import { FRAMING, TIMES } from './framing.ts';
import { TransbankSession } from './session.ts';
import { options } from './settings.ts';
import { wrongProtocol } from './wrong-protocol.ts';

/** The terminal may still acknowledge a command of an earlier till; that is not an answer to our poll. */
const LISTEN_MS = 300;

/** Speaks POS Integrado over a serial line. */
export const driver: TerminalDriver = {
  async open(link: Link, context: DriverContext, signal: AbortSignal): Promise<TerminalSession> {
    const settings = options.parse(context.options ?? {});
    const line = new StxLine(link, context.clock, FRAMING, TIMES);
    const session = new TransbankSession({ link, line, context, settings });
    line.start();
    try {
      if (context.currency !== 'CLP') throw otherCurrency(context.currency);
      await sleep(context.clock, LISTEN_MS, signal, 'listen').catch(() => {
        throw reasonOf(signal);
      });
      await session.poll(signal);
      return session;
    } catch (error) {
      await session.close();
      throw wrongProtocol(line.heard) ?? error;
    }
  },
};

function otherCurrency(currency: string): AppError {
  return new AppError(
    'TERMINAL_CANNOT',
    `a POS Integrado sells in Chilean pesos, this device in ${currency}: set its "currency" to "CLP"`,
  );
}
