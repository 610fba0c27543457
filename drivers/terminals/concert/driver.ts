import {
  AppError,
  type DriverContext,
  type Link,
  type TerminalDriver,
  type TerminalSession,
} from '../../../src/driver-kit/terminal.ts';
import { CableChannel } from './cable-channel.ts';
import type { Channel } from './channel.ts';
import { eplus } from './eplus.ts';
import { NetworkChannel } from './network-channel.ts';
import { noteIn } from './note.ts';
import { ConcertSession } from './session.ts';
import { capabilitiesOf, type Settings, settingsOf } from './settings.ts';
import { V3 } from './v3.ts';
import { wrongProtocol } from './wrong-protocol.ts';

/** On a cable the driver listens this long before it sends, because the terminal may have a message to send. */
const LISTEN_MS = 3000;
/** The number of questions then, and the time to listen between them. */
const [ASKED, BETWEEN_MS] = [2, 1000];

/** Speaks E+ and V3 on cables, and V3 over TCP. */
export const driver: TerminalDriver = {
  async open(link: Link, context: DriverContext, signal: AbortSignal): Promise<TerminalSession> {
    const settings = settingsOf(context.options);
    const channel = channelOver(link, context, settings);
    const wire = link.kind === 'tcp' ? 'tcp' : 'serial';
    const capabilities = capabilitiesOf(settings, wire);
    const session = new ConcertSession({ channel, settings, capabilities, clock: context.clock });
    try {
      mustFit(settings, link);
      await meet(channel, session, signal);
      return session;
    } catch (error) {
      await session.close();
      throw wrongProtocol(channel.heard, wire) ?? error;
    }
  },
};

function channelOver(link: Link, context: DriverContext, settings: Settings): Channel {
  const parts = { context, settings, note: noteIn(context.transcript) };
  const counter = { settings, currency: context.currency };
  if (link.kind === 'tcp') return new NetworkChannel(link, parts, new V3(counter, 'tcp'));
  const language = settings.dialect === 'eplus' ? eplus(counter) : new V3(counter, 'serial');
  return new CableChannel(link, parts, language);
}

/** @throws TERMINAL_WRONG_PROTOCOL for E+ over the network, which no published document describes */
function mustFit({ dialect }: Settings, { kind }: Link): void {
  if (kind === 'tcp' && dialect === 'eplus')
    throw new AppError(
      'TERMINAL_WRONG_PROTOCOL',
      'E+ (Concert V2) is spoken on cables only: set the terminal and "dialect" to v3, or connect it by cable',
    );
}

/** Listens, then asks for the identity; several times, because a terminal does not answer while a customer uses it. */
async function meet(channel: Channel, session: ConcertSession, signal: AbortSignal): Promise<void> {
  const listen = async (ms: number) => channel.listen?.(ms, signal);
  await listen(LISTEN_MS);
  for (let asked = 1; ; asked += 1) {
    try {
      await session.identify(signal);
      return;
    } catch (error) {
      const isOver = channel.listen === undefined || signal.aborted || asked === ASKED || !isSilence(error);
      if (isOver) throw error;
      await listen(BETWEEN_MS);
    }
  }
}

function isSilence(error: unknown): boolean {
  return error instanceof AppError && ['TERMINAL_NO_ANSWER', 'TERMINAL_BUSY'].includes(error.code);
}
