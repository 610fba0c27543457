import {
  AppError,
  type DriverContext,
  hasCode,
  type Link,
  type TerminalDriver,
  type TerminalSession,
} from '../../../src/driver-kit/terminal.ts';
import { Conversation } from './conversation.ts';
import { NexoSession } from './session.ts';
import { options } from './settings.ts';

/** Speaks the Terminal API to a terminal in the shop's network. */
export const driver: TerminalDriver = {
  async open(link: Link, context: DriverContext, signal: AbortSignal): Promise<TerminalSession> {
    const settings = options.parse(context.options ?? {});
    const conversation = new Conversation(link, context, settings);
    const session = new NexoSession(conversation, context, settings);
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
  const isHttp = new TextDecoder('latin1').decode(heard.subarray(0, 5)) === 'HTTP/';
  return new AppError(
    'TERMINAL_WRONG_PROTOCOL',
    isHttp
      ? 'a web server answers that does not speak the Terminal API there: check the address, "path", "poi_id" and "security"'
      : 'what answers there speaks another protocol: check "driver", the port, and whether the link needs "tls"',
  );
}
