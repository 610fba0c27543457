import { z } from 'zod';
import type { DescribedRoute } from '../plugins/described-routes.ts';
import type { JsonSchema, SchemaRegistry } from './schema-registry.ts';

const VERSION = { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}$', examples: ['2026-05-01'] } as const;

/** Parameters that many operations share, under their component names. */
export const PARAMETERS = {
  ServiceVersion: {
    name: 'Service-Version',
    in: 'header',
    description:
      'Pins a version (YYYY-MM-DD). A date between two versions means the older one; without it the current version answers.',
    schema: VERSION,
  },
  VersionQuery: {
    name: 'version',
    in: 'query',
    description: 'The same as Service-Version, for clients that cannot send the header; the header wins.',
    schema: VERSION,
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'Sent again with the same request within 24 hours it gives the first answer again instead of doing the work twice; a payment, refund or void keeps its key as long as it is stored. Make it (a UUID v4) and store it with the basket before you send the request; without an answer send the same key again. The answer to the repetition is the old one: take its `data.id`, and GET what is now.',
    schema: {
      type: 'string',
      minLength: 1,
      maxLength: 255,
      pattern: '^[\\x20-\\x7e]+$',
      examples: ['6f1c2a1e-8f0e-4c39-9a55-0f6a4f5b7d11'],
    },
  },
  Traceparent: {
    name: 'traceparent',
    in: 'header',
    description:
      'The trace that the payment belongs to (W3C Trace Context). Its trace id is in every answer, event and webhook of the payment as `trace_id`, and in its reports; without it, and with one that is malformed, the payment has a trace of its own.',
    schema: {
      type: 'string',
      maxLength: 255,
      examples: ['00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'],
    },
  },
  LastEventId: {
    name: 'Last-Event-ID',
    in: 'header',
    description: 'Resume behind this event; wins over starting_after.',
    schema: { type: 'string', maxLength: 64 },
  },
} as const;

/** The description of a query parameter of this name, where its schema has none. */
const MEANING: Readonly<Record<string, string>> = {
  limit: 'How many at most.',
  offset: 'How many to leave out from the beginning.',
  starting_after: 'The id of the last item that was seen: the list goes on behind it.',
  ending_before: 'An id: the list ends just before it. Not together with starting_after.',
  id: 'The id of the resource.',
};

/** Path, query and header parameters of an operation. */
export function parametersOf(route: DescribedRoute, book: SchemaRegistry): readonly object[] {
  return [
    ...fieldsOf(book.of(route.params, 'input'), 'path'),
    ...fieldsOf(book.of(route.query, 'input'), 'query'),
    pointer('ServiceVersion'),
    ...(route.idempotent ? [pointer('IdempotencyKey')] : []),
    ...(route.idempotent === 'with_its_payment' ? [pointer('Traceparent')] : []),
    ...(route.endless ? [pointer('LastEventId')] : []),
  ];
}

function fieldsOf(schema: JsonSchema, place: 'path' | 'query'): readonly object[] {
  const required = z.array(z.string()).catch([]).parse(schema['required']);
  const fields = z.record(z.string(), z.looseObject({})).catch({}).parse(schema['properties']);
  return Object.entries(fields).map(([name, { description, ...field }]) =>
    place === 'query' && name === 'version'
      ? pointer('VersionQuery')
      : {
          name,
          in: place,
          ...described(description ?? MEANING[name]),
          required: place === 'path' || required.includes(name),
          schema: field,
        },
  );
}

function described(description: unknown) {
  return typeof description === 'string' ? { description } : {};
}

function pointer(name: keyof typeof PARAMETERS) {
  return { $ref: `#/components/parameters/${name}` };
}
