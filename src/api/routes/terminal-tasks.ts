import { z } from 'zod';
import { AppError } from '../../base/errors.ts';
import { canonicalId } from '../../base/ids.ts';
import { guardText } from '../../base/text-guard.ts';
import type { TerminalOperations } from '../../payment/batch/terminal-operations.ts';
import type { Payments } from '../../payment/payments.ts';
import type { Api, RoutePlugin } from '../api.ts';
import { dataOf, Uuid } from '../contract/primitives.ts';
import { FinishTerminalTask, ListTerminalTasks, TerminalTask } from '../contract/terminal-task.ts';
import type { FleetMember } from '../fleet-member.ts';
import { deciderOf } from '../people/person.ts';
import { renderFleetTask } from '../render/fleet-task.ts';
import { renderTask } from '../render/terminal-task.ts';
import { atCursor } from './cursor.ts';
import { listReply, listShape, VersionQuery } from './list-reply.ts';
import { paymentOf } from './payment-of.ts';

const TAG = 'Tasks';

/** Tasks for a person: reading them, and reporting them done. */
export function terminalTaskRoutes(deps: TerminalTaskDeps): RoutePlugin {
  return async (api) => {
    listRoute(api, deps);
    doneRoute(api, deps);
  };
}

interface TerminalTaskDeps {
  readonly operations: TerminalOperations;
  readonly payments: Pick<Payments, 'get'>;
  /** null or absent: no fleet can be joined. */
  readonly fleet?: Pick<FleetMember, 'tasks'> | null;
}

function listRoute(api: Api, deps: TerminalTaskDeps): void {
  api.route({
    method: 'GET',
    url: '/v2/terminal-tasks',
    schema: { querystring: ListTerminalTasks },
    config: {
      operationId: 'listTerminalTasks',
      tag: TAG,
      access: 'payments:read',
      summary:
        'List what a person is asked to do, oldest first, and behind it what operators of the fleet ask for; open=true leaves out what is done.',
      replies: [listShape(TerminalTask, 'One page of tasks.')],
      refusals: ['CURSOR_UNKNOWN'],
    },
    handler: ({ query, serviceVersion }) => {
      const { limit } = query;
      const tasks = tasksOf(deps, query);
      return listReply(serviceVersion, {
        items: tasks.slice(0, limit),
        hasMore: tasks.length > limit,
        url: '/v2/terminal-tasks',
        limit,
      });
    },
  });
}

/** Those of the shop, then those that operators ask for: one more than the page has room for. */
function tasksOf(
  { operations, payments, fleet }: TerminalTaskDeps,
  query: z.output<typeof ListTerminalTasks>,
): readonly TerminalTask[] {
  const { limit, starting_after } = query;
  const open = query.open === 'true';
  const after = starting_after === undefined ? null : canonicalId(starting_after);
  const asked = fleet?.tasks() ?? [];
  const place = after === null ? -1 : asked.findIndex(({ id }) => canonicalId(id) === after);
  const behind = after === null ? {} : { startingAfter: after };
  const own =
    place === -1 ? atCursor(query, () => operations.tasks({ open, limit: limit + 1, ...behind })) : [];
  const viewOf = (id: string | null) => paymentOf(id, payments);
  return [
    ...own.map((task) => renderTask(task, viewOf(task.attemptId))),
    ...asked
      .slice(place + 1)
      .filter(({ task }) => !open || task.end === null)
      .slice(0, limit + 1 - own.length)
      .map((task) => renderFleetTask(task, viewOf)),
  ];
}

function doneRoute(api: Api, { operations, payments, fleet }: TerminalTaskDeps): void {
  api.route({
    method: 'POST',
    url: '/v2/terminal-tasks/:id/done',
    schema: { params: z.strictObject({ id: Uuid }), querystring: VersionQuery, body: FinishTerminalTask },
    config: {
      operationId: 'finishTerminalTask',
      tag: TAG,
      access: 'payments:write',
      summary: 'A named person says that it is done, and what came of it.',
      replies: [{ status: 200, description: 'The task, done now.', schema: dataOf(TerminalTask) }],
      refusals: [
        'TASK_UNKNOWN',
        'TASK_DONE',
        'TASK_NOT_ANSWERED',
        'TASK_TO_PERFORM',
        'WRONG_TERMINAL',
        'STORAGE_FULL',
        'STORAGE_FAILED',
      ],
      idempotent: 'after_its_writes',
    },
    handler: ({ params, body, caller }) => {
      if (fleet?.tasks().some(({ id }) => canonicalId(id) === canonicalId(params.id)))
        throw new AppError(
          'TASK_TO_PERFORM',
          'An operator of the fleet asks for this. Do it, or decline it with a reason: that ends the task. No customer was charged by it.',
        );
      const done = { by: deciderOf(caller, body.by), note: guardText(body.note) };
      const task = operations.finishTask(params.id, done);
      return { data: renderTask(task, paymentOf(task.attemptId, payments)) };
    },
  });
}
