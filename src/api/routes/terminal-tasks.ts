import { z } from 'zod';
import { canonicalId } from '../../base/ids.ts';
import { guardText } from '../../base/text-guard.ts';
import type { TerminalOperations } from '../../payment/batch/terminal-operations.ts';
import type { Payments } from '../../payment/payments.ts';
import type { Api, RoutePlugin } from '../api.ts';
import { dataOf, Uuid } from '../contract/primitives.ts';
import { FinishTerminalTask, ListTerminalTasks, TerminalTask } from '../contract/terminal-task.ts';
import { deciderOf } from '../people/person.ts';
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
}

function listRoute(api: Api, { operations, payments }: TerminalTaskDeps): void {
  api.route({
    method: 'GET',
    url: '/v2/terminal-tasks',
    schema: { querystring: ListTerminalTasks },
    config: {
      operationId: 'listTerminalTasks',
      tag: TAG,
      access: 'payments:read',
      summary: 'List what a person is asked to do, oldest first; open=true leaves out what is done.',
      replies: [listShape(TerminalTask, 'One page of tasks.')],
      refusals: ['CURSOR_UNKNOWN'],
    },
    handler: ({ query, serviceVersion }) => {
      const { limit, open, starting_after } = query;
      const behind = starting_after === undefined ? {} : { startingAfter: canonicalId(starting_after) };
      const tasks = atCursor(query, () =>
        operations.tasks({ open: open === 'true', limit: limit + 1, ...behind }),
      );
      const items = tasks
        .slice(0, limit)
        .map((task) => renderTask(task, paymentOf(task.attemptId, payments)));
      return listReply(serviceVersion, {
        items,
        hasMore: tasks.length > limit,
        url: '/v2/terminal-tasks',
        limit,
      });
    },
  });
}

function doneRoute(api: Api, { operations, payments }: TerminalTaskDeps): void {
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
        'WRONG_TERMINAL',
        'STORAGE_FULL',
        'STORAGE_FAILED',
      ],
      idempotent: 'after_its_writes',
    },
    handler: ({ params, body, caller }) => {
      const done = { by: deciderOf(caller, body.by), note: guardText(body.note) };
      const task = operations.finishTask(params.id, done);
      return { data: renderTask(task, paymentOf(task.attemptId, payments)) };
    },
  });
}
