import { listOf } from '../../api/contract/primitives.ts';
import { TerminalDevice } from '../../api/contract/terminal-device.ts';
import { connect } from '../connect.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { type GlobalOptions, type Io, printDocument } from '../io.ts';
import { table } from '../show/table.ts';
import { statusOf } from '../show/terminal.ts';

/** `tillctl devices` */
export async function devices(options: GlobalOptions, io: Io): Promise<ExitCode> {
  const call = { path: '/v2/terminal-devices?limit=100' };
  const { body, value } = await connect(options, io).call(call, listOf(TerminalDevice));
  if (options.json) printDocument(io, body);
  else io.out(value.data.length === 0 ? 'No device is configured.\n' : deviceTable(value.data));
  return EXIT.done;
}

/** The terminals, one line each. */
export function deviceTable(list: readonly TerminalDevice[]): string {
  const rows = list.map((device) => [
    device.name,
    statusOf(device),
    device.driver,
    device.currency,
    device.terminal_serial ?? device.terminal_id ?? '-',
    String(device.waiting),
    device.id,
    whyText(device),
  ]);
  return table(['NAME', 'STATUS', 'DRIVER', 'CURRENCY', 'TERMINAL', 'WAITING', 'ID', 'WHY'], rows);
}

function whyText(device: TerminalDevice): string {
  const shared = device.shared_use ? 'another program uses this terminal too' : null;
  return [device.status_reason, shared].filter((part) => part !== null).join('; ');
}
