import { dataOf } from '../../api/contract/primitives.ts';
import { AdoptTerminal, TerminalDevice } from '../../api/contract/terminal-device.ts';
import { AppError } from '../../base/errors.ts';
import { connect } from '../connect.ts';
import { chooseDevice } from '../device-choice.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { type GlobalOptions, type Io, printDocument } from '../io.ts';
import { deviceTable } from './devices.ts';

/** tilld asks the terminal for its identity before it adopts it. */
const IDENTIFY_TIMEOUT_MS = 60_000;

export interface DevicesAdoptOptions extends GlobalOptions {
  readonly device: string;
  readonly by: string;
}

/** `tillctl devices adopt D --by NAME`: let the terminal that answers now serve this device from now on. */
export async function devicesAdopt(options: DevicesAdoptOptions, io: Io): Promise<ExitCode> {
  const wanted = AdoptTerminal.safeParse({ by: options.by });
  if (!wanted.success) throw new AppError('USAGE', '--by must be 1 to 200 printable characters');
  const client = connect(options, io, IDENTIFY_TIMEOUT_MS);
  const device = await chooseDevice(client, options.device);
  const path = `/v2/terminal-devices/${device.id}/adopt`;
  const { body, value } = await client.call(
    { method: 'POST', path, body: wanted.data },
    dataOf(TerminalDevice),
  );
  if (options.json) printDocument(io, body);
  else io.out(deviceTable([value.data]));
  io.err(
    `${device.name} gets the terminal that answers there now, as soon as it has identified itself: tillctl devices\n`,
  );
  return EXIT.done;
}
