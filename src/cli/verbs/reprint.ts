import { dataOf } from '../../api/contract/primitives.ts';
import { TerminalReprint } from '../../api/contract/terminal-reprint.ts';
import { connect } from '../connect.ts';
import { chooseDevice } from '../device-choice.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { type GlobalOptions, type Io, printDocument } from '../io.ts';
import { plain } from '../show/plain.ts';

/** tilld asks the terminal whether it is free, and waits for the receipt. */
const REPRINT_TIMEOUT_MS = 90_000;

export interface ReprintOptions extends GlobalOptions {
  readonly device: string;
}

/** `tillctl reprint D`: the terminal repeats its last receipt; exit 1 when there is no copy. */
export async function reprint(options: ReprintOptions, io: Io): Promise<ExitCode> {
  const client = connect(options, io, REPRINT_TIMEOUT_MS);
  const device = await chooseDevice(client, options.device);
  const call = { method: 'POST', path: `/v2/terminal-devices/${device.id}/reprint` } as const;
  const { body, value } = await client.call(call, dataOf(TerminalReprint));
  const { result, text, reason } = value.data;
  if (options.json) printDocument(io, body);
  else if (text !== null) io.out(`${text.split('\n').map(plain).join('\n')}\n`);
  io.err(`${plain(device.name)} ${WORDS[result]}${reason === null ? '' : `: ${plain(reason)}`}\n`);
  return result === 'refused' ? EXIT.no : EXIT.done;
}

const WORDS = {
  printed:
    'prints the receipt of its last transaction, if it has a printer and paper. Compare amount and time: it may be of another payment.',
  received:
    'sent the receipt of its last transaction. Compare amount and time: it may be of another payment.',
  refused: 'repeated no receipt. That does not mean that nothing was charged',
} as const;
