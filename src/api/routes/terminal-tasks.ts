import { z } from 'zod';
import { guardText } from '../../base/text-guard.ts';
import type { TerminalOperations } from '../../payment/batch/terminal-operations.ts';
import type { Payments } from '../../payment/payments.ts';
import { dataOf, Uuid } from '../contract/primitives.ts';
import { FinishTerminalTask, ListTerminalTasks, TerminalTask } from '../contract/terminal-task.ts';
import { renderTask } from '../render/terminal-task.ts';
import { json } from '../reply/reply.ts';
import { listReply, listShape, NoParams, VersionQuery } from './list-reply.ts';
import { paymentOf } from './payment-of.ts';
import { defineRoute, type Route } from './route.ts';

const TAG = 'Tasks';

/** Tasks for a person: reading them, and reporting them done. */
export function terminalTaskRoutes(deps: TerminalTaskDeps): readonly Route[] {
  return [listRoute(deps), doneRoute(deps)];
}

interface TerminalTaskDeps {
  readonly operations: TerminalOperations;
  readonly payments: Pick<Payments, 'get'>;
}

function listRoute({ operations, payments }: TerminalTaskDeps): Route {
  return defineRoute({
    method: 'GET',
    path: '/v2/terminal-tasks',
    operationId: 'listTerminalTasks',
    tag: TAG,
    access: 'payments:read',
    summary: 'List what a person is asked to do, oldest first; open=true leaves out what is done.',
    params: NoParams,
    query: ListTerminalTasks,
    body: null,
    replies: [listShape(TerminalTask, 'The oldest tasks.')],
    refusals: [],
    handler: ({ query: { limit, open } }, { version }) => {
      const tasks = operations.tasks({ open: open === 'true', limit: limit + 1 });
      const items = tasks
        .slice(0, limit)
        .map((task) => renderTask(task, paymentOf(task.attemptId, payments)));
      return listReply(version, { items, hasMore: tasks.length > limit, url: '/v2/terminal-tasks', limit });
    },
  });
}

function doneRoute({ operations, payments }: TerminalTaskDeps): Route {
  return defineRoute({
    method: 'POST',
    path: '/v2/terminal-tasks/{id}/done',
    operationId: 'finishTerminalTask',
    tag: TAG,
    access: 'payments:write',
    summary: 'A named person says that it is done, and what came of it.',
    params: z.strictObject({ id: Uuid }),
    query: VersionQuery,
    body: FinishTerminalTask,
    replies: [{ status: 200, description: 'The task, done now.', schema: dataOf(TerminalTask) }],
    refusals: ['TASK_UNKNOWN', 'TASK_DONE', 'TASK_NOT_ANSWERED', 'STORAGE_FULL', 'STORAGE_FAILED'],
    idempotent: 'after_its_writes',
    handler: ({ params, body }) => {
      const done = { by: guardText(body.by), note: guardText(body.note) };
      const task = operations.finishTask(params.id, done);
      return json(200, { data: renderTask(task, paymentOf(task.attemptId, payments)) });
    },
  });
}
