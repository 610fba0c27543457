import { dataOf } from '../../api/contract/primitives.ts';
import { TerminalActivity } from '../../api/contract/terminal-activity.ts';
import { connect } from '../connect.ts';
import { chooseDevice } from '../device-choice.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { type GlobalOptions, type Io, printDocument } from '../io.ts';
import { terminalText } from '../show/terminal.ts';

export interface ShowDeviceOptions extends GlobalOptions {
  readonly device: string;
}

/** `tillctl devices show D` */
export async function devicesShow(options: ShowDeviceOptions, io: Io): Promise<ExitCode> {
  const client = connect(options, io);
  const device = await chooseDevice(client, options.device);
  const call = { path: `/v2/terminal-devices/${device.id}/activity` };
  const { body, value } = await client.call(call, dataOf(TerminalActivity));
  if (options.json) printDocument(io, body);
  else io.out(terminalText(device, value.data));
  return EXIT.done;
}
