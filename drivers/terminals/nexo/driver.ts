import { openIdentified, type TerminalDriver } from '../../../src/driver-kit/terminal.ts';
import { Conversation } from './conversation.ts';
import { NexoSession } from './session.ts';
import { options } from './settings.ts';

/** Speaks the Terminal API to a terminal in the shop's network. */
export const driver: TerminalDriver = {
  open(link, context, signal) {
    const settings = options.parse(context.options ?? {});
    const conversation = new Conversation(link, context, settings);
    const session = new NexoSession(conversation, context, settings);
    return openIdentified(session, signal, () => wrongProtocol(conversation.heard));
  },
};

/** Something answers, and what it says is no response of the protocol. */
function wrongProtocol(heard: Uint8Array): string {
  const isHttp = new TextDecoder('latin1').decode(heard.subarray(0, 5)) === 'HTTP/';
  return isHttp
    ? 'a web server answers that does not speak the Terminal API there: check the address, "path", "poi_id" and "security"'
    : 'what answers there speaks another protocol: check "driver", the port, and whether the link needs "tls"';
}
