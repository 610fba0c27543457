import { z } from 'zod';
import { text } from '../../fleet/contract/text.ts';
import type { TenantTransaction } from '../database/connect.ts';
import type { Operator } from '../operators/authenticate.ts';
import { PAGE } from '../operators/page.ts';
import * as resources from '../operators/resources.ts';
import {
  addTargets,
  type By,
  createRollout,
  MOST_ADDED,
  pauseRollout,
  RINGS,
  resumeRollout,
  startRollout,
  stopRollout,
} from '../rollouts/rollouts.ts';
import { TARGET_STATES } from '../rollouts/targets.ts';
import { listRollouts, listTargets, readRollout } from '../rollouts/view.ts';
import { AlertName as RolloutName } from './alert-routes.ts';
import { type OperatorRoute, route } from './route.ts';

const { dataOf, listOf } = resources;
const named = z.strictObject({ name: RolloutName });

const by = ({ tenant, name }: Operator): By => ({ tenant, actor: `operator ${name}` });

const RolloutInput = z
  .strictObject({
    name: RolloutName,
    rings: z
      .array(resources.Ring)
      .min(1)
      .max(10)
      .default([...RINGS])
      .describe('Default: 1 %, 10 %, 50 % and all, after an hour, a day and a day.'),
    most_failures: resources.MostFailures.default(null),
  })
  .refine(
    ({ rings }) =>
      rings.at(-1)?.percent === 100 &&
      rings.every(({ percent }, index) => percent > (rings[index - 1]?.percent ?? 0)),
    { path: ['rings'], error: 'must rise to 100 percent' },
  );

const READS: readonly OperatorRoute[] = [
  route({
    method: 'GET',
    path: '/v1/rollouts',
    operationId: 'listRollouts',
    summary: 'Settings for many shops, the newest first.',
    role: 'viewer',
    input: z.strictObject(PAGE),
    reply: listOf(resources.RolloutView),
    run: ({ transaction, input }) => listRollouts(transaction, input),
  }),
  route({
    method: 'GET',
    path: '/v1/rollouts/{name}',
    operationId: 'getRollout',
    summary: 'One rollout, and how many shops are how far.',
    role: 'viewer',
    input: named,
    reply: dataOf(resources.RolloutView),
    run: async ({ transaction, input }) => ({ data: await readRollout(transaction, input.name) }),
  }),
  route({
    method: 'GET',
    path: '/v1/rollouts/{name}/shops',
    operationId: 'listRolloutShops',
    summary: 'The shops of a rollout in their order.',
    role: 'viewer',
    input: z.strictObject({ ...PAGE, name: RolloutName, state: z.enum(TARGET_STATES).optional() }),
    reply: listOf(resources.RolloutShop),
    run: ({ transaction, input }) => listTargets(transaction, input),
  }),
];

const NEW: readonly OperatorRoute[] = [
  route({
    method: 'POST',
    path: '/v1/rollouts',
    operationId: 'createRollout',
    summary: 'A rollout without shops, which does nothing yet.',
    role: 'operator',
    input: RolloutInput,
    status: 201,
    reply: dataOf(resources.RolloutView),
    run: async ({ transaction, operator, input }) => {
      await createRollout(transaction, by(operator), input);
      return { data: await readRollout(transaction, input.name) };
    },
  }),
  route({
    method: 'POST',
    path: '/v1/rollouts/{name}/commands',
    operationId: 'addRolloutCommands',
    summary:
      'Add signed settings (`tillhub configuration sign --agents`), each for one agent, in the order in which shops get them.',
    role: 'operator',
    input: z.strictObject({ name: RolloutName, signed: z.array(text(8_000)).min(1).max(MOST_ADDED) }),
    reply: dataOf(resources.RolloutView),
    run: async ({ transaction, operator, input: { name, signed }, now }) => {
      await addTargets(transaction, by(operator), name, signed, now);
      return { data: await readRollout(transaction, name) };
    },
  }),
];

const DECISIONS: readonly OperatorRoute[] = [
  decision('start', 'startRollout', 'Begin with the first ring.', startRollout),
  decision(
    'pause',
    'pauseRollout',
    'Give the settings to no further shop; those that have them go on.',
    pauseRollout,
  ),
  decision('resume', 'resumeRollout', 'Go on; failures until now do not count any more.', resumeRollout),
  decision(
    'stop',
    'stopRollout',
    'End it for good: shops that were not given the settings never get them from it.',
    stopRollout,
  ),
];

function decision(
  verb: string,
  operationId: string,
  summary: string,
  run: (transaction: TenantTransaction, by: By, name: string) => Promise<void>,
): OperatorRoute {
  return route({
    method: 'POST',
    path: `/v1/rollouts/{name}/${verb}`,
    operationId,
    summary,
    role: 'operator',
    input: named,
    reply: dataOf(resources.RolloutView),
    run: async ({ transaction, operator, input: { name } }) => {
      await run(transaction, by(operator), name);
      return { data: await readRollout(transaction, name) };
    },
  });
}

/** Settings for many shops, ring by ring. */
export const ROLLOUT_ROUTES: readonly OperatorRoute[] = [...NEW, ...READS, ...DECISIONS];
