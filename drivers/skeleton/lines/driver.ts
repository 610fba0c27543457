import {
  AppError,
  type DriverContext,
  type Link,
  type TerminalDriver,
  type TerminalSession,
} from '../../../src/driver-kit/terminal.ts';
import { SampleSession } from '../sample/session.ts';
import { capabilities, options } from '../sample/settings.ts';
import { TextLine } from './text-line.ts';

export const driver: TerminalDriver = {
  async open(link: Link, context: DriverContext, signal: AbortSignal): Promise<TerminalSession> {
    const { customer_ms: customerMs } = options.parse(context.options ?? {});
    const line = new TextLine(link, context.clock);
    const session = new SampleSession({ link, line, context, capabilities, customerMs });
    line.start();
    try {
      await session.identify(signal);
      return session;
    } catch (error) {
      await session.close();
      throw wrongProtocol(line.heard) ?? error;
    }
  },
};

/** First bytes of terminals that are set to another protocol, and what to tell staff. */
function wrongProtocol(heard: Uint8Array): AppError | undefined {
  const isEcr17 = heard[0] === 0x15 && heard[1] === 0x03;
  if (!isEcr17) return undefined;
  return new AppError(
    'TERMINAL_WRONG_PROTOCOL',
    'the terminal speaks ECR17 (it answers 15 03): set the driver of this device to ecr17',
  );
}
