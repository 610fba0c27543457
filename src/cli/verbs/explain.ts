import { dataOf } from '../../api/contract/primitives.ts';
import { Explanation, type ExplanationLine } from '../../api/contract/terminal-payment.ts';
import { connect } from '../connect.ts';
import { deviceNames } from '../device-choice.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { type GlobalOptions, type Io, printDocument } from '../io.ts';
import { paymentPath } from '../payment-path.ts';
import { moment } from '../show/moment.ts';
import { paymentText } from '../show/payment.ts';
import { plain } from '../show/plain.ts';

export interface ExplainOptions extends GlobalOptions {
  readonly id: string;
}

/** `tillctl explain ID` */
export async function explain(options: ExplainOptions, io: Io): Promise<ExitCode> {
  const path = paymentPath(options.id, 'explain');
  const client = connect(options, io);
  const { body, value } = await client.call({ path }, dataOf(Explanation));
  const { payment, story } = value.data;
  if (options.json) printDocument(io, body);
  else {
    const terminal = (await deviceNames(client)).get(payment.device_id) ?? null;
    io.out(`${paymentText(payment, terminal)}Trace ${payment.trace_id}\n\n${timelineText(story)}`);
  }
  return EXIT.done;
}

function timelineText(timeline: readonly ExplanationLine[]): string {
  const first = timeline[0];
  if (!first) return 'Nothing is known of what happened.\n';
  const start = Date.parse(first.at);
  return `What happened, in seconds from ${moment(first.at)}\n${timeline.map((line) => lineText(line, start)).join('')}`;
}

function lineText(line: ExplanationLine, start: number): string {
  const after = `+${((Date.parse(line.at) - start) / 1000).toFixed(3)}`.replace('+-', '-');
  const details =
    Object.keys(line.details).length === 0 ? '' : `${' '.repeat(23)}${plain(JSON.stringify(line.details))}\n`;
  return `${after.padStart(11)}  ${line.kind.padEnd(8)}  ${plain(line.text).replaceAll('\n', ' / ')}\n${details}`;
}
