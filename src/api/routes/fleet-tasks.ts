import { z } from 'zod';
import type { Clock } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import { canonicalId } from '../../base/ids.ts';
import { assertNever } from '../../base/invariant.ts';
import { guardText } from '../../base/text-guard.ts';
import type { OutboxAdmin } from '../../outbox/outbox-admin.ts';
import { whatToDoAbout } from '../../payment/guards/what-to-do.ts';
import type { Payments } from '../../payment/payments.ts';
import type { Api, Caller, RoutePlugin } from '../api.ts';
import { dataOf, Uuid } from '../contract/primitives.ts';
import { DeclineFleetTask, PerformFleetTask, TerminalTask } from '../contract/terminal-task.ts';
import type { AskedOfPerson, FleetMember, FleetTask, PerformedTask } from '../fleet-member.ts';
import type { People } from '../people/people.ts';
import { SignedInPerson } from '../people/signed-in-person.ts';
import { ROLE_OF_COMMAND, renderFleetTask } from '../render/fleet-task.ts';
import { requireRole } from '../sessions/role.ts';
import { deviceOf } from './device-of.ts';
import { VersionQuery } from './list-reply.ts';
import { ofTerminal } from './of-terminal.ts';
import { paymentOf } from './payment-of.ts';
import type { SettlementDeps } from './terminal-settlements.ts';

const Params = z.strictObject({ id: Uuid });
/** For a person who is signed in at the pages, or on this machine; keys of tills are refused. */
const COMMON = { tag: 'Tasks', access: 'socket_only', role: 'staff', hidden: true } as const;

export interface FleetTaskDeps extends SettlementDeps {
  readonly fleet: FleetMember;
  readonly payments: Pick<Payments, 'get'>;
  readonly outbox: OutboxAdmin;
  /** null: there are no named people. */
  readonly people: People | null;
  readonly clock: Clock;
}

/** What operators of the fleet ask for: a named person of this shop does it, or declines it. */
export function fleetTaskRoutes(deps: FleetTaskDeps): RoutePlugin {
  return async (api) => {
    performRoute(api, deps);
    declineRoute(api, deps);
  };
}

function performRoute(api: Api, deps: FleetTaskDeps): void {
  api.route({
    method: 'POST',
    url: '/v2/terminal-tasks/:id/perform',
    schema: { params: Params, querystring: VersionQuery, body: PerformFleetTask },
    config: {
      ...COMMON,
      operationId: 'performFleetTask',
      summary: 'A named person does what an operator of the fleet asks for.',
      replies: [{ status: 200, description: 'The task as it is now.', schema: dataOf(TerminalTask) }],
      refusals: [
        'TASK_UNKNOWN',
        'TASK_DONE',
        'TASK_NOT_ANSWERED',
        'DEVICE_UNKNOWN',
        'OPERATION_NOT_SUPPORTED',
        'END_OF_DAY_BLOCKED',
        'ADOPT_BLOCKED',
        'TERMINAL_NOT_READY',
        'TERMINAL_IN_DOUBT',
        'TERMINAL_BUSY',
        'WRONG_TERMINAL',
        'REPORT_UNKNOWN',
        'REPORT_HELD',
        'REPORT_NOT_PARKED',
        'STORAGE_FULL',
        'STORAGE_FAILED',
        'DRAINING',
      ],
    },
    handler: async ({ params, body, caller }) => {
      const { task, person } = personFor(deps, params.id, caller, body.by);
      const given = { caller: caller.id, reason: body.reason === undefined ? null : guardText(body.reason) };
      const performed = await deps.fleet.performTask(task.id, person.name, async (command) => {
        if (command.kind === 'resolve') throw notAnswered(command.payment_id, deps.payments);
        note(deps, 'task_confirmed', task, person, caller.from);
        return await perform(deps, command, person, given);
      });
      return answer(deps, performed);
    },
  });
}

function declineRoute(api: Api, deps: FleetTaskDeps): void {
  api.route({
    method: 'POST',
    url: '/v2/terminal-tasks/:id/decline',
    schema: { params: Params, querystring: VersionQuery, body: DeclineFleetTask },
    config: {
      ...COMMON,
      operationId: 'declineFleetTask',
      summary: 'A named person declines what an operator of the fleet asks for.',
      replies: [{ status: 200, description: 'The task, declined.', schema: dataOf(TerminalTask) }],
      refusals: ['TASK_UNKNOWN', 'TASK_DONE', 'STORAGE_FULL', 'STORAGE_FAILED'],
    },
    handler: ({ params, body, caller }) => {
      const { task, person } = personFor(deps, params.id, caller, body.by);
      note(deps, 'task_declined', task, person, caller.from);
      return answer(deps, deps.fleet.declineTask(task.id, person.name, guardText(body.reason)));
    },
  });
}

/**
 * The open task, and the person who asks, with the role that the same action of this shop needs.
 * @throws TASK_UNKNOWN, TASK_DONE, PERSON_MISSING, ROLE_MISSING
 */
function personFor(
  { fleet }: FleetTaskDeps,
  id: string,
  caller: Caller,
  by: string,
): { readonly task: FleetTask; readonly person: SignedInPerson } {
  const task = fleet.tasks().find((one) => canonicalId(one.id) === canonicalId(id));
  if (!task) throw new AppError('TASK_UNKNOWN', 'no task has this id', { context: { param: 'id' } });
  const { command, end } = task.task;
  if (end)
    throw new AppError('TASK_DONE', `This has ended: ${end.words}`, {
      context: { details: { done_by: end.by ?? 'tilld' } },
    });
  const person = SignedInPerson.of(caller, by);
  if (caller.session) requireRole(caller.session.role, ROLE_OF_COMMAND[command.kind]);
  return { task, person };
}

/** Who does or declines it is in the audit trail before it is so. @throws STORAGE_FULL, STORAGE_FAILED */
function note(
  { people, clock }: FleetTaskDeps,
  event: 'task_confirmed' | 'task_declined',
  { id, operator, task: { command } }: FleetTask,
  { name: who }: SignedInPerson,
  from: string,
): void {
  const asked = { command: command.kind, operator };
  people?.note({ at: clock.now(), event, subject: id, who, from, details: asked });
}

interface Given {
  readonly caller: string;
  readonly reason: string | null;
}

/** The local action, with all its checks. @throws what it refuses */
async function perform(
  deps: FleetTaskDeps,
  command: Exclude<AskedOfPerson, { kind: 'resolve' }>,
  { name: by }: SignedInPerson,
  { caller, reason }: Given,
): Promise<PerformedTask> {
  const { operations, devices, outbox } = deps;
  switch (command.kind) {
    case 'end_of_day': {
      const deviceId = deviceOf(devices, command.device_id).device.id;
      const { id } = operations.endOfDay({ deviceId, caller, force: null });
      return { settlementId: id, words: 'the close of the day was begun' };
    }
    case 'adopt':
      await ofTerminal(operations.adopt(deviceOf(devices, command.device_id).device.id, by));
      return { settlementId: null, words: 'the terminal was adopted' };
    case 'retry_report':
      outbox.retry(command.report_id, { caller, by });
      return { settlementId: null, words: 'the report is sent again' };
    case 'drop_report':
      if (reason === null)
        throw new AppError('FIELD_MISSING', 'reason is missing', { context: { param: 'reason' } });
      outbox.drop(command.report_id, { caller, by, reason });
      return { settlementId: null, words: `the report is dropped: ${reason}` };
    default:
      return assertNever(command);
  }
}

/** The person decides what became of it, at the payment itself: an operator does not. */
function notAnswered(paymentId: string, payments: Pick<Payments, 'get'>): AppError {
  const { attempt } = payments.get(paymentId);
  return new AppError(
    'TASK_NOT_ANSWERED',
    'Answer the question of the payment itself, from what its slip, the statement or the journal shows; this task ends with that answer.',
    { context: { details: { payment_id: paymentId, what_to_do: whatToDoAbout(attempt) } } },
  );
}

function answer({ payments }: FleetTaskDeps, task: FleetTask): { readonly data: TerminalTask } {
  return { data: renderFleetTask(task, (id) => paymentOf(id, payments)) };
}
