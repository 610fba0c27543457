import {
  AppError,
  type DriverContext,
  hasCode,
  type Link,
  type TerminalDriver,
  type TerminalSession,
} from '../../../src/driver-kit/terminal.ts';
import { Conversation } from './conversation.ts';
import { SampleSession } from './session.ts';
import { options } from './settings.ts';

export const driver: TerminalDriver = {
  async open(link: Link, context: DriverContext, signal: AbortSignal): Promise<TerminalSession> {
    const settings = options.parse(context.options ?? {});
    const conversation = new Conversation(link, context, settings.path);
    const session = new SampleSession(conversation, context, settings);
    try {
      await session.identify(signal);
      return session;
    } catch (error) {
      await session.close();
      throw wrongProtocol(conversation.heard, error) ?? error;
    }
  },
};

/** Something answers, and what it says is no response of the protocol. */
function wrongProtocol(heard: Uint8Array, error: unknown): AppError | undefined {
  if (heard.length === 0 || !hasCode(error, 'TERMINAL_GARBLED')) return undefined;
  return new AppError(
    'TERMINAL_WRONG_PROTOCOL',
    'what answers there is no such terminal: check "driver", the address, "path", and whether the link needs "tls"',
  );
}
