import type { z } from 'zod';
import type { ReplyShape } from '../api.ts';
import { ErrorEnvelope, FlatError, IdempotencyError } from '../contract/error.ts';
import { IssueList } from '../contract/integration.ts';
import type { DescribedRoute } from '../plugins/described-routes.ts';
import { INTERNAL, REFUSALS, type Refusal } from '../reply/refusals.ts';
import type { ServiceVersion } from '../version.ts';
import { headersOf } from './headers.ts';
import { exampleName } from './refusal-examples.ts';
import { codesOf } from './refusals-of.ts';
import type { JsonSchema, SchemaRegistry } from './schema-registry.ts';

/** One form of a response: the reply's own shape, or an error response. */
interface Answer {
  readonly words: readonly string[];
  readonly mediaType: string;
  readonly schemas: readonly JsonSchema[];
  readonly examples: readonly string[];
}

/** Every response of a route by its status: its own replies, and its error responses with text, schemas and examples. */
export function answersOf(
  route: DescribedRoute,
  book: SchemaRegistry,
  version: ServiceVersion,
): Record<string, object> {
  const byStatus = Map.groupBy(
    [...repliesOf(route, book, version), ...refusalsOf(route, book)],
    ([status]) => status,
  );
  const rows = [...byStatus].sort(([a], [b]) => a - b);
  return Object.fromEntries(
    rows.map(([status, all]) => [
      status,
      rendered(
        route,
        status,
        all.map(([, answer]) => answer),
      ),
    ]),
  );
}

type Row = readonly [status: number, answer: Answer];

function repliesOf(route: DescribedRoute, book: SchemaRegistry, version: ServiceVersion): readonly Row[] {
  return route.replies.map((reply) => {
    const schema = shapeUnder(reply, version);
    const schemas = schema === undefined ? [] : [book.of(schema, 'output')];
    const mediaType = reply.mediaType ?? 'application/json';
    return [reply.status, { words: [reply.description], mediaType, schemas, examples: [] }];
  });
}

function shapeUnder({ schema, olderSchema }: ReplyShape, version: ServiceVersion): z.ZodType | undefined {
  return version === '2026-01-15' ? (olderSchema ?? schema) : schema;
}

function refusalsOf(route: DescribedRoute, book: SchemaRegistry): readonly Row[] {
  const rows: [string, Refusal][] = codesOf(route).map((code) => [code, REFUSALS[code]]);
  return [...rows, ['INTERNAL', INTERNAL] as const].map(([name, row]) => [
    row.status,
    {
      words: [`\`${row.code}\``],
      mediaType: 'application/json',
      schemas: [book.of(shapeOf(row), 'output')],
      examples: [exampleName(name)],
    },
  ]);
}

function shapeOf(row: Refusal): z.ZodType {
  if (row.shape === 'idempotency') return IdempotencyError;
  if (row.shape === 'issues') return IssueList;
  return row.shape === 'unknown_route' ? FlatError : ErrorEnvelope;
}

function rendered(route: DescribedRoute, status: number, answers: readonly Answer[]): object {
  const byType = Map.groupBy(answers, ({ mediaType }) => mediaType);
  return {
    description: unique(answers.flatMap(({ words }) => words)).join(' · '),
    headers: headersOf(route, status),
    content: Object.fromEntries([...byType].map(([mediaType, all]) => [mediaType, contentOf(all)])),
  };
}

function contentOf(answers: readonly Answer[]): object {
  const schemas = uniqueSchemas(answers.flatMap(({ schemas }) => schemas));
  const schema = schemas.length > 1 ? { anyOf: schemas } : (schemas[0] ?? {});
  const names = unique(answers.flatMap(({ examples }) => examples));
  if (names.length === 0) return { schema };
  const examples = names.map((name) => [name, { $ref: `#/components/examples/${name}` }]);
  return { schema, examples: Object.fromEntries(examples) };
}

function unique(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)];
}

function uniqueSchemas(schemas: readonly JsonSchema[]): readonly JsonSchema[] {
  return unique(schemas.map((schema) => JSON.stringify(schema))).map((text) => JSON.parse(text));
}
