import type {
  DriverContext,
  Link,
  TerminalDriver,
  TerminalSession,
} from '../../../src/driver-kit/terminal.ts';
import { Calls } from './calls.ts';
import { Ecr17Session } from './session.ts';
import { settingsOf } from './settings.ts';
import { wrongProtocol } from './wrong-protocol.ts';

/** Speaks ECR17: over TCP one connection per exchange, on a cable one line for all. */
export const driver: TerminalDriver = {
  async open(link: Link, context: DriverContext, signal: AbortSignal): Promise<TerminalSession> {
    const settings = settingsOf(context.options);
    const calls = new Calls(link, context, settings.lrcMode);
    const session = new Ecr17Session({ calls, context, settings });
    try {
      await session.meet(signal);
      return session;
    } catch (error) {
      await session.close();
      throw wrongProtocol(calls.heard) ?? error;
    }
  },
};
