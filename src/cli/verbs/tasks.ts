import { OutboxCause } from '../../api/contract/outbox-report.ts';
import { dataOf, listOf } from '../../api/contract/primitives.ts';
import { TerminalPayment } from '../../api/contract/terminal-payment.ts';
import { TerminalSettlement } from '../../api/contract/terminal-settlement.ts';
import { TerminalTask } from '../../api/contract/terminal-task.ts';
import { hasCode } from '../../base/errors.ts';
import { formatMoney } from '../../base/money.ts';
import type { Answer, DaemonClient } from '../client.ts';
import { connect } from '../connect.ts';
import { deviceNames } from '../device-choice.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { type GlobalOptions, type Io, printDocument } from '../io.ts';
import { paymentPath } from '../payment-path.ts';
import { causeText, taskText } from '../show/task.ts';

export interface TasksOptions extends GlobalOptions {
  readonly all?: boolean;
}

/** `tillctl tasks [--all]`: the tasks for people, oldest first; many refused reports are one for each cause. */
export async function tasks(options: TasksOptions, io: Io): Promise<ExitCode> {
  const path = `/v2/terminal-tasks?limit=100${options.all ? '' : '&open=true'}`;
  const client = connect(options, io);
  let { value: page } = await client.call({ path }, listOf(TerminalTask));
  const found = [...page.data];
  while (page.has_more) {
    const behind = `&starting_after=${found.at(-1)?.id}`;
    ({ value: page } = await client.call({ path: path + behind }, listOf(TerminalTask)));
    found.push(...page.data);
  }
  if (options.json) printDocument(io, { ...page, data: found });
  else if (found.length === 0) io.out('There is nothing to do.\n');
  else io.out((await textsOf(client, found)).join('\n'));
  return EXIT.done;
}

/** What a task is about; a payment or a settlement that is not known here is null, as is that of a task that is done. */
interface Subject {
  readonly task: TerminalTask;
  readonly payment: TerminalPayment | null;
  readonly deviceId: string | null;
}

async function textsOf(client: DaemonClient, tasks: readonly TerminalTask[]): Promise<readonly string[]> {
  const names = await deviceNames(client);
  const subjects: Subject[] = [];
  for (const task of tasks) subjects.push(await subjectOf(client, task));
  const refused = new Set(subjects.filter(isRefused));
  const causes = refused.size > 1 ? await causesOf(client) : [];
  const single = causes.length === 0 ? subjects : subjects.filter((subject) => !refused.has(subject));
  const alone = single.map(({ task, payment, deviceId }) =>
    taskText(task, {
      terminal: deviceId && (names.get(deviceId) ?? deviceId),
      amount: payment && formatMoney({ minor: payment.amount_minor, currency: payment.currency }),
    }),
  );
  return [...causes.map(causeText), ...alone];
}

/** Where the service has the outcome by now, a task still asks what it did with its own. */
function isRefused({ task: { kind, done }, payment }: Subject): boolean {
  return kind === 'report_rejected' && done === null && payment?.reported === 'rejected';
}

async function causesOf(client: DaemonClient): Promise<readonly OutboxCause[]> {
  return (await client.call({ path: '/v2/outbox/causes' }, listOf(OutboxCause))).value.data;
}

async function subjectOf(client: DaemonClient, task: TerminalTask): Promise<Subject> {
  const { payment_id, settlement_id, device_id, done } = task;
  if (done !== null) return { task, payment: null, deviceId: device_id };
  const payment =
    payment_id === null
      ? null
      : await known(client.call({ path: paymentPath(payment_id) }, dataOf(TerminalPayment)));
  const path = `/v2/terminal-settlements/${settlement_id}`;
  const settlement =
    settlement_id === null ? null : await known(client.call({ path }, dataOf(TerminalSettlement)));
  return { task, payment, deviceId: device_id ?? payment?.device_id ?? settlement?.device_id ?? null };
}

async function known<T>(answer: Promise<Answer<{ data: T }>>): Promise<T | null> {
  try {
    return (await answer).value.data;
  } catch (error) {
    if (hasCode(error, 'REFUSED')) return null;
    throw error;
  }
}
