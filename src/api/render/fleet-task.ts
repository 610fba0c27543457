import type { AttemptView } from '../../payment/payments.ts';
import { ENGLISH } from '../../sentences/english.ts';
import { taskSentences } from '../../sentences/sentences.js';
import { joined } from '../../sentences/tongue.js';
import type { Role } from '../contract/session.ts';
import type { TerminalTask } from '../contract/terminal-task.ts';
import type { AskedOfPerson, FleetTask } from '../fleet-member.ts';
import { instant } from './instant.ts';
import { moneyFacts } from './money-facts.ts';

/** The least role of a person for each of them: that of the same action of the shop itself. */
export const ROLE_OF_COMMAND: Readonly<Record<AskedOfPerson['kind'], Role>> = {
  resolve: 'staff',
  end_of_day: 'lead',
  retry_report: 'ops',
  drop_report: 'ops',
  adopt: 'ops',
};

/** A task that an operator of the fleet asks for, as the API shows it. @param viewOf reads the payment that it is about */
export function renderFleetTask(
  { id, at, operator, until, task: { command, begun, end } }: FleetTask,
  viewOf: (paymentId: string) => AttemptView | null,
): TerminalTask {
  const { kind, reason = null } = command;
  const view = kind === 'resolve' ? viewOf(command.payment_id) : null;
  const asked = {
    ...{ operator, reason, command: kind, role: ROLE_OF_COMMAND[kind] },
    report_id: 'report_id' in command ? command.report_id : null,
    expires_at: instant(until),
    begun_by: begun?.by ?? null,
  };
  const task = { kind: `fleet_${kind}`, asked };
  const { what, charged, now } = taskSentences(task, view && moneyFacts(view), ENGLISH);
  return {
    ...{ id, object: 'terminal_task', ...task },
    payment_id: view?.attempt.id ?? null,
    settlement_id: null,
    device_id: 'device_id' in command ? command.device_id : null,
    message: joined(what, charged, now),
    created_at: instant(at),
    done: end && { by: end.by ?? 'tilld', note: `${end.state}: ${end.words}`, at: instant(end.at) },
  };
}
