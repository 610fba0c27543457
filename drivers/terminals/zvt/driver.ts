import type {
  DriverContext,
  Link,
  TerminalDriver,
  TerminalSession,
} from '../../../src/driver-kit/terminal.ts';
import { capabilities } from './capabilities.ts';
import type { ApduChannel } from './channel.ts';
import { SerialChannel } from './serial-channel.ts';
import { ZvtSession } from './session.ts';
import { repeatsReceipts, type Settings, settingsOf } from './settings.ts';
import { TcpChannel } from './tcp-channel.ts';
import { wrongProtocol } from './wrong-protocol.ts';

/** Speaks ZVT over serial lines and TCP. */
export const driver: TerminalDriver = {
  async open(link: Link, context: DriverContext, signal: AbortSignal): Promise<TerminalSession> {
    const settings = settingsOf(context.options);
    const channel = channelOver(link, context, settings);
    const ownCapabilities = {
      ...capabilities,
      void: settings.void,
      recover: settings.quirks.recover,
      reprint: repeatsReceipts(settings),
    };
    const session = new ZvtSession({ link, channel, context, settings, capabilities: ownCapabilities });
    channel.start();
    try {
      await session.register(signal);
      return session;
    } catch (error) {
      await session.close();
      throw wrongProtocol(channel.heard) ?? error;
    }
  },
};

function channelOver(link: Link, context: DriverContext, settings: Settings): ApduChannel {
  return link.kind === 'serial'
    ? new SerialChannel(link, context.clock, settings)
    : new TcpChannel(link, context.clock);
}
