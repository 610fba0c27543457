import { z } from 'zod';
import { LONGEST_URL, urlObjection } from '../../webhooks/endpoint-url.ts';
import {
  listDestinations,
  putDestination,
  readDestination,
  removeDestination,
} from '../alerts/destinations.ts';
import { ALERT_KINDS, CONDITIONS, MERCHANT_KINDS, SEVERITIES } from '../alerts/kinds.ts';
import { listRules, putRule, readRule, removeRule } from '../alerts/rules.ts';
import { endAlert, listAlerts } from '../operators/alerts.ts';
import { PAGE } from '../operators/page.ts';
import * as resources from '../operators/resources.ts';
import { type OperatorRoute, route } from './route.ts';

const { dataOf, listOf, Name } = resources;

/** A name in addresses, headers and messages. */
export const AlertName = z
  .string()
  .regex(/^[A-Za-z0-9][\w.-]{0,99}$/, 'has letters, digits, dots, hyphens and underscores, 100 at most')
  .describe('Letters, digits, `.`, `-` and `_`; it never changes.');
const named = z.strictObject({ name: AlertName });
const removed = dataOf(z.object({ name: z.string(), deleted: z.literal(true) }));

/** An agent that takes a new connection, or waits its turn, is not silent yet. */
const SHORTEST_SILENCE = 5;

const RuleInput = z
  .strictObject({
    name: AlertName,
    kind: z
      .enum(ALERT_KINDS)
      .describe(`What it watches. These last at a shop, and end by themselves: ${CONDITIONS.join(', ')}.`),
    shops: Name.nullable()
      .default(null)
      .describe('Names of shops, `*` for any characters (`Berlin *`); null: every shop.'),
    minutes: z
      .int()
      .min(0)
      .max(43_200)
      .default(0)
      .describe('How long it must last before the alert; 0 for what is raised at once.'),
    severity: z.enum(SEVERITIES).default('warning'),
    enabled: z.boolean().default(true),
    destinations: z
      .array(AlertName)
      .max(10)
      .default([])
      .describe('Where its alerts go; they are in the list anyway.'),
  })
  .refine(({ kind, minutes }) => CONDITIONS.some((one) => one === kind) || minutes === 0, {
    path: ['minutes'],
    error: 'must be 0: its alert is raised at once',
  })
  .refine(({ kind, shops }) => !MERCHANT_KINDS.some((one) => one === kind) || shops === null, {
    path: ['shops'],
    error: 'must be null: this happens to no shop by itself',
  })
  .refine(({ kind, minutes }) => kind !== 'silent' || minutes >= SHORTEST_SILENCE, {
    path: ['minutes'],
    error: `must be ${SHORTEST_SILENCE} at least: agents ask about once a minute`,
  });

const Url = z
  .string()
  .max(LONGEST_URL)
  .superRefine((url, { addIssue }) => {
    const objection = urlObjection(url);
    if (objection !== null) addIssue({ code: 'custom', message: objection });
  });

const DestinationInput = z
  .strictObject({
    name: AlertName,
    kind: z.enum(['webhook', 'email']),
    url: Url.optional().describe('Of a webhook: https; plain http to the machine of the hub alone.'),
    secret: z
      .string()
      .regex(/^whsec_[A-Za-z0-9+/]{32,86}={0,2}$/, 'must be whsec_ and 24 to 64 bytes in base64')
      .optional()
      .describe(
        'Of a webhook: the key of its signatures (Standard Webhooks). It is never shown; left out, it stays.',
      ),
    recipients: z.array(z.email().max(254)).min(1).max(10).optional().describe('Of an e-mail.'),
    language: z.enum(['en', 'de', 'fr']).default('en'),
  })
  .refine(
    ({ kind, url, recipients }) => (kind === 'webhook') === (url !== undefined && recipients === undefined),
    {
      error: 'a webhook has a url and a secret, an e-mail has recipients',
    },
  )
  .refine(
    ({ kind, secret, recipients }) =>
      kind === 'webhook' || (secret === undefined && recipients !== undefined),
    {
      error: 'an e-mail has recipients, and no secret',
    },
  );

const RULES: readonly OperatorRoute[] = [
  route({
    method: 'GET',
    path: '/v1/alert-rules',
    operationId: 'listAlertRules',
    summary: 'What raises an alert, by name.',
    role: 'viewer',
    input: z.strictObject(PAGE),
    reply: listOf(resources.AlertRule),
    run: ({ transaction, input }) => listRules(transaction, input),
  }),
  route({
    method: 'PUT',
    path: '/v1/alert-rules/{name}',
    operationId: 'putAlertRule',
    summary: 'The rule is like this afterwards; a repetition changes nothing.',
    role: 'admin',
    input: RuleInput,
    reply: dataOf(resources.AlertRule),
    run: async ({ transaction, operator, input }) => ({ data: await putRule(transaction, operator, input) }),
  }),
  route({
    method: 'GET',
    path: '/v1/alert-rules/{name}',
    operationId: 'getAlertRule',
    summary: 'One rule.',
    role: 'viewer',
    input: named,
    reply: dataOf(resources.AlertRule),
    run: async ({ transaction, input }) => ({ data: await readRule(transaction, input.name) }),
  }),
  route({
    method: 'DELETE',
    path: '/v1/alert-rules/{name}',
    operationId: 'deleteAlertRule',
    summary:
      'Remove a rule. Its open alerts of what lasts at a shop end; others stay until a person ends them.',
    role: 'admin',
    input: named,
    reply: removed,
    run: async ({ transaction, operator, input: { name } }) => {
      await removeRule(transaction, operator, name);
      return { data: { name, deleted: true as const } };
    },
  }),
];

const DESTINATIONS: readonly OperatorRoute[] = [
  route({
    method: 'GET',
    path: '/v1/alert-destinations',
    operationId: 'listAlertDestinations',
    summary: 'Where alerts go, by name, and what waits for each.',
    role: 'viewer',
    input: z.strictObject(PAGE),
    reply: listOf(resources.AlertDestination),
    run: ({ transaction, operator, input }) => listDestinations(transaction, operator, input),
  }),
  route({
    method: 'PUT',
    path: '/v1/alert-destinations/{name}',
    operationId: 'putAlertDestination',
    summary: 'The destination is like this afterwards; a repetition changes nothing. What waits goes there.',
    role: 'admin',
    input: DestinationInput,
    reply: dataOf(resources.AlertDestination),
    run: async ({ transaction, operator, input }) => ({
      data: await putDestination(transaction, operator, input),
    }),
  }),
  route({
    method: 'GET',
    path: '/v1/alert-destinations/{name}',
    operationId: 'getAlertDestination',
    summary: 'One destination.',
    role: 'viewer',
    input: named,
    reply: dataOf(resources.AlertDestination),
    run: async ({ transaction, operator, input }) => ({
      data: await readDestination(transaction, operator, input.name),
    }),
  }),
  route({
    method: 'DELETE',
    path: '/v1/alert-destinations/{name}',
    operationId: 'deleteAlertDestination',
    summary: 'Remove a destination that no rule leads to, with the messages that wait for it.',
    role: 'admin',
    input: named,
    reply: removed,
    run: async ({ transaction, operator, input: { name } }) => {
      await removeDestination(transaction, operator, name);
      return { data: { name, deleted: true as const } };
    },
  }),
];

const ALERTS: readonly OperatorRoute[] = [
  route({
    method: 'GET',
    path: '/v1/alerts',
    operationId: 'listAlerts',
    summary: 'Alerts, the newest first.',
    role: 'viewer',
    input: z.strictObject({ ...PAGE, open: z.enum(['true', 'false']).optional(), shop: Name.optional() }),
    reply: listOf(resources.Alert),
    run: ({ transaction, input }) => listAlerts(transaction, input),
  }),
  route({
    method: 'POST',
    path: '/v1/alerts/{id}/end',
    operationId: 'endAlert',
    summary: 'End an alert. What lasts raises it again; a repetition changes nothing.',
    role: 'operator',
    input: z.strictObject({ id: z.uuid() }),
    reply: dataOf(resources.Alert),
    run: async ({ transaction, operator, input }) => ({
      data: await endAlert(transaction, operator, input.id),
    }),
  }),
];

/** Alerts, what raises them, and where they go; besides the test of a destination, which waits for no transaction. */
export const ALERT_ROUTES: readonly OperatorRoute[] = [...ALERTS, ...RULES, ...DESTINATIONS];
