import { z } from 'zod';
import { AppError } from '../../base/errors.ts';
import { text } from '../../fleet/contract/text.ts';
import { release } from '../agents/release.ts';
import { revoke } from '../agents/revoke.ts';
import { listCommands, listTasks, readCommand, sendCommand } from '../commands/send.ts';
import { readAgent } from '../operators/agents.ts';
import { listAudit } from '../operators/alerts.ts';
import { PAGE } from '../operators/page.ts';
import { listPayments, readPayment } from '../operators/payments.ts';
import * as resources from '../operators/resources.ts';
import { findShop, listShops, putShop, readShop } from '../operators/shops.ts';
import { listReleases } from '../releases/releases.ts';
import { inviteInto } from '../shops/invite.ts';
import { ALERT_ROUTES } from './alert-routes.ts';
import { ROLLOUT_ROUTES } from './rollout-routes.ts';
import { type OperatorRoute, route } from './route.ts';

const { dataOf, listOf, Name } = resources;

const Instant = z.iso.datetime({ offset: true });

/** What a period is by: when the hub received a row, since the clocks of shops may be wrong. */
export const PERIOD = {
  from: Instant.describe('Received at this moment or later.'),
  to: Instant.describe('Received before this moment.'),
};

const SHOPS: readonly OperatorRoute[] = [
  route({
    method: 'GET',
    path: '/v1/shops',
    operationId: 'listShops',
    summary: 'Shops by name.',
    role: 'viewer',
    input: z.strictObject({
      ...PAGE,
      q: resources.Name.optional().describe('Words; each is in the name or the version.'),
      state: resources.ShopState.optional(),
    }),
    reply: listOf(resources.ShopSummary),
    run: ({ transaction, input, now }) => listShops(transaction, input, now),
  }),
  route({
    method: 'GET',
    path: '/v1/shops/{name}',
    operationId: 'getShop',
    summary: 'One shop: its agents, what it reports of itself, its open alerts.',
    role: 'viewer',
    input: z.strictObject({ name: Name }),
    reply: dataOf(resources.ShopView),
    run: async ({ transaction, input, now }) => ({ data: await readShop(transaction, input.name, now) }),
  }),
  route({
    method: 'PUT',
    path: '/v1/shops/{name}',
    operationId: 'putShop',
    summary: 'There is a shop of this name afterwards; a repetition changes nothing.',
    role: 'operator',
    input: z.strictObject({ name: Name }),
    reply: dataOf(resources.ShopView),
    run: async ({ transaction, operator, input, now }) => ({
      data: await putShop(transaction, operator, input.name, now),
    }),
  }),
  route({
    method: 'POST',
    path: '/v1/shops/{name}/invitations',
    operationId: 'createInvitation',
    summary: 'A code by which one agent joins as this shop: 15 minutes, once.',
    role: 'operator',
    input: z.strictObject({ name: Name }),
    status: 201,
    reply: dataOf(resources.Invitation),
    run: async ({ transaction, operator, input, now }) => {
      await findShop(transaction, input.name, now);
      const actor = `operator ${operator.name}`;
      const { code, expiresAt } = await inviteInto(transaction, operator.tenant, input.name, actor, now);
      return { data: { code, expires_at: expiresAt.toISOString() } };
    },
  }),
  route({
    method: 'POST',
    path: '/v1/agents/{id}/revoke',
    operationId: 'revokeAgent',
    summary:
      'Refuse an agent from its next request on. Its shop goes on to sell; a repetition changes nothing.',
    role: 'admin',
    input: z.strictObject({ id: z.uuid() }),
    reply: dataOf(z.object({ id: z.uuid(), revoked_at: z.iso.datetime() })),
    run: async ({ transaction, operator, input: { id } }) => {
      await revoke(transaction, operator.tenant, id, `operator ${operator.name}`);
      const agent = await transaction
        .selectFrom('agent')
        .select('revoked_at')
        .where('id', '=', id)
        .executeTakeFirst();
      if (!agent?.revoked_at) throw new AppError('RESOURCE_MISSING', `there is no agent ${id}`);
      return { data: { id, revoked_at: agent.revoked_at.toISOString() } };
    },
  }),
  route({
    method: 'POST',
    path: '/v1/agents/{id}/release',
    operationId: 'releaseAgent',
    summary:
      'End the quarantine of an agent: it gets commands again, and is trusted from this entry on. Where its journal breaks stays in the shop, the export and the audit.',
    role: 'admin',
    input: z.strictObject({
      id: z.uuid(),
      epoch: Name.describe('That of its journal now.'),
      branch: z.int().min(0).max(1_000).describe('The history that its shop goes on with.'),
      seq: z
        .int()
        .min(0)
        .describe(
          'A stored entry of it, from which on it is trusted; 0 where the hub has none of the epoch.',
        ),
      reason: text(1_000).describe('What was found, for the audit.'),
    }),
    reply: dataOf(resources.AgentView),
    run: async ({ transaction, operator: { tenant, name }, input, now }) => {
      await release(transaction, tenant, input, `operator ${name}`, now);
      const found = await readAgent(transaction, input.id);
      if (found === null) throw new AppError('RESOURCE_MISSING', `there is no agent ${input.id}`);
      return { data: found.agent };
    },
  }),
];

const RELEASES: readonly OperatorRoute[] = [
  route({
    method: 'GET',
    path: '/v1/releases',
    operationId: 'listReleases',
    summary: 'Releases of tilld that shops run, and how the shops are; that of most shops first.',
    role: 'viewer',
    input: z.strictObject({}),
    reply: z.object({ data: z.array(resources.ReleaseView) }),
    run: async ({ transaction, now }) => ({ data: [...(await listReleases(transaction, now))] }),
  }),
];

const BOOKS: readonly OperatorRoute[] = [
  route({
    method: 'GET',
    path: '/v1/payments',
    operationId: 'listPayments',
    summary: 'Payments of all shops or of one, those with the newest row first.',
    role: 'viewer',
    input: z.strictObject({
      ...PAGE,
      shop: Name.optional(),
      from: PERIOD.from.optional(),
      to: PERIOD.to.optional(),
    }),
    reply: listOf(resources.PaymentSummary),
    run: ({ transaction, input, now }) => listPayments(transaction, input, now),
  }),
  route({
    method: 'GET',
    path: '/v1/shops/{name}/payments/{id}',
    operationId: 'getPayment',
    summary: 'The timeline of one payment: its rows in the journal.',
    role: 'viewer',
    input: z.strictObject({ name: Name, id: resources.Name }),
    reply: dataOf(resources.PaymentView),
    run: async ({ transaction, input: { name, id }, now }) => ({
      data: await readPayment(transaction, name, id, now),
    }),
  }),
  route({
    method: 'GET',
    path: '/v1/audit-entries',
    operationId: 'listAuditEntries',
    summary: 'Who did what, the newest first.',
    role: 'viewer',
    input: z.strictObject(PAGE),
    reply: listOf(resources.AuditEntry),
    run: ({ transaction, input }) => listAudit(transaction, input),
  }),
];

const COMMANDS: readonly OperatorRoute[] = [
  route({
    method: 'GET',
    path: '/v1/commands',
    operationId: 'listCommands',
    summary: 'What was asked of shops, and what became of it; the newest first.',
    role: 'viewer',
    input: z.strictObject(PAGE),
    reply: listOf(resources.CommandView),
    run: ({ transaction, input }) => listCommands(transaction, input),
  }),
  route({
    method: 'GET',
    path: '/v1/tasks',
    operationId: 'listTasks',
    summary: 'Commands that wait for a person of their shop, those that wait longest first.',
    role: 'viewer',
    input: z.strictObject({ ...PAGE, shop: Name.optional() }),
    reply: listOf(resources.TaskView),
    run: ({ transaction, input, now }) => listTasks(transaction, input, now),
  }),
  route({
    method: 'POST',
    path: '/v1/commands',
    operationId: 'sendCommand',
    summary: 'Keep a command that an operator has signed (`tillhub sign`) until its agent asks.',
    role: 'operator',
    input: z.strictObject({ signed: text(8_000) }),
    status: 201,
    reply: dataOf(resources.CommandView),
    run: async ({ transaction, operator, input, now }) => {
      const { id } = await sendCommand(transaction, operator.tenant, input.signed, operator.name, now);
      return { data: await readCommand(transaction, id) };
    },
  }),
];

/** What an operator can ask, besides the session and the export. */
export const OPERATOR_ROUTES: readonly OperatorRoute[] = [
  ...SHOPS,
  ...RELEASES,
  ...BOOKS,
  ...COMMANDS,
  ...ROLLOUT_ROUTES,
  ...ALERT_ROUTES,
];
