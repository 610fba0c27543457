import type { RootCommand } from '@bomb.sh/tab';
import { listOf } from '../api/contract/primitives.ts';
import { TerminalDevice } from '../api/contract/terminal-device.ts';
import { connect } from './connect.ts';
import type { GlobalOptions, Io } from './io.ts';
import { PROVIDERS } from './provider.ts';

/** A key press waits for it. */
const ANSWER_WITHIN_MS = 500;
/** What a shell takes as one word. */
const PLAIN = /^[\w.-]+$/;

/** Completes terminals, as long as the daemon answers at once, and the names of integrations. */
export async function completeNames(root: RootCommand, options: GlobalOptions, io: Io): Promise<void> {
  const devices = await devicesNow(options, io);
  for (const command of root.commands.values()) {
    const [device, provider] = [command.arguments.get('device'), command.arguments.get('provider')];
    const deviceOption = command.options.get('device');
    // A name of two words would be two arguments: its id stands for it.
    const offerDevices = (complete: (value: string, description: string) => void) => {
      for (const { id, name } of devices) complete(PLAIN.test(name) ? name : id, name);
    };
    if (device) device.handler = offerDevices;
    if (deviceOption) deviceOption.handler = offerDevices;
    if (provider)
      provider.handler = (complete) => {
        for (const name of PROVIDERS) complete(name, '');
      };
  }
}

async function devicesNow(options: GlobalOptions, io: Io): Promise<readonly TerminalDevice[]> {
  try {
    const path = '/v2/terminal-devices?limit=100';
    const { value } = await connect(options, io, ANSWER_WITHIN_MS).call({ path }, listOf(TerminalDevice));
    return value.data;
  } catch {
    return [];
  }
}
