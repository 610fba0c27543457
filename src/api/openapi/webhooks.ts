import { z } from 'zod';
import type { PublishedState } from '../../payment/attempt/state-machine.ts';
import { Event } from '../contract/event.ts';
import { TerminalPayment } from '../contract/terminal-payment.ts';
import { TerminalSettlement } from '../contract/terminal-settlement.ts';
import { WEBHOOKS } from './about.ts';
import type { SchemaRegistry } from './schema-registry.ts';

const SIGNATURE = {
  name: 'X-Service-Signature',
  in: 'header',
  required: true,
  description:
    'v1 is the HMAC-SHA256, in hex, of `<t>.<raw body>` with the secret of the endpoint. Compare in constant time; refuse what is older than five minutes.',
  schema: {
    type: 'string',
    pattern: '^t=\\d+,v1=[0-9a-f]{64}$',
    examples: ['t=1767225600,v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd'],
  },
} as const;

const WHAT: Readonly<Record<PublishedState, string>> = {
  requested: 'was asked for',
  in_progress: 'is on its terminal',
  in_doubt: 'is in doubt: it is not known yet whether money moved',
  succeeded: 'succeeded',
  declined: 'was declined',
  cancelled: 'was cancelled',
  error: 'ended with an error',
};
const OF: Readonly<Record<string, string>> = {
  terminal_payment: 'A payment',
  terminal_refund: 'A refund',
  terminal_void: 'A void',
};

/** The webhooks that tilld sends, by event type: its own events. An endpoint may get others later; types are an open set. */
export function webhooksOf(book: SchemaRegistry): Readonly<Record<string, object>> {
  const payments = Object.entries(OF).flatMap(([subject, who]) =>
    Object.entries(WHAT).map(
      ([what, verb]) => [`${subject}.${what}`, `${who} ${verb}.`, TerminalPayment] as const,
    ),
  );
  const settlement = [
    'settlement.created',
    'The day of a terminal was closed, or it is not known how that ended.',
    TerminalSettlement,
  ] as const;
  return Object.fromEntries(
    [...payments, settlement].map(([type, summary, data]) => [
      type,
      { post: deliveryOf(type, summary, book.of(payloadOf(type, data), 'output')) },
    ]),
  );
}

function payloadOf(type: string, data: z.ZodType): z.ZodType {
  return Event.extend({ type: z.literal(type), data });
}

function deliveryOf(type: string, summary: string, schema: object): object {
  return {
    operationId: `on${type.split(/[._]/).map(capital).join('')}`,
    tags: [WEBHOOKS],
    summary,
    description:
      'May come more than once: `id` tells. Six attempts: at once, after 5 minutes, 30 minutes, 2, 8 and 24 hours. Redirects are not followed.',
    security: [],
    parameters: [SIGNATURE],
    requestBody: { required: true, content: { 'application/json': { schema } } },
    responses: {
      '2XX': { description: 'Acknowledged; the body is not looked at.' },
      default: { description: 'Not acknowledged: it is sent again.' },
    },
  };
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
