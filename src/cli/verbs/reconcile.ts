import { dataOf } from '../../api/contract/primitives.ts';
import { TerminalReconciliation } from '../../api/contract/terminal-reconciliation.ts';
import { connect } from '../connect.ts';
import { chooseDevice } from '../device-choice.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { type GlobalOptions, type Io, printDocument } from '../io.ts';
import { reconciliationText } from '../show/reconciliation.ts';

/** A terminal that reports line by line over a slow serial port takes long. */
const JOURNAL_TIMEOUT_MS = 300_000;

export interface ReconcileOptions extends GlobalOptions {
  readonly device: string;
}

/** `tillctl reconcile D`: exit 1 when the terminal contradicts the database, lacks one of its payments, or has another sum. */
export async function reconcile(options: ReconcileOptions, io: Io): Promise<ExitCode> {
  const client = connect(options, io, JOURNAL_TIMEOUT_MS);
  const device = await chooseDevice(client, options.device);
  const call = { method: 'POST', path: `/v2/terminal-devices/${device.id}/reconcile` } as const;
  const { body, value } = await client.call(call, dataOf(TerminalReconciliation));
  if (options.json) printDocument(io, body);
  else io.out(reconciliationText(value.data));
  return agrees(value.data) ? EXIT.done : EXIT.no;
}

function agrees({ lines, totals_agree }: TerminalReconciliation): boolean {
  const wrong = lines.some(({ verdict }) => verdict === 'contradicts' || verdict === 'missing');
  return !wrong && totals_agree !== false;
}
