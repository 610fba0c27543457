import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { foreignPackage } from './foreign-package.ts';
import { published } from './published.ts';
import { type ForeignServer, listening } from './rest-servers.ts';

/** Shopify's own schemas of its Admin interface, which its assistant for developers checks queries with. */
const SCHEMAS = {
  name: '@shopify/dev-mcp',
  version: '1.16.0',
  integrity:
    'sha512-tqgRnK7sQhjew+htxtleTH23nXB5fZcsrhWgEkomsorGXvLOB2mh2upwZm8uzuTDNTZnqtLMe64yIwh6s2awtw==',
};

interface Argument {
  readonly name: string;
  readonly description: string | null;
}

interface Schema {
  getQueryType(): { getFields(): Readonly<Record<string, { readonly args: readonly Argument[] }>> };
  getType(name: string): { getValues(): readonly { readonly name: string }[] };
}

interface GraphQl {
  buildClientSchema(introspection: unknown): Schema;
  parse(query: string): unknown;
  validate(schema: Schema, document: unknown, rules: readonly unknown[]): readonly Error[];
  readonly specifiedRules: readonly unknown[];
  readonly NoDeprecatedCustomRule: unknown;
  graphql(request: {
    schema: Schema;
    source: string;
    rootValue: object;
    variableValues: object;
  }): Promise<object>;
}

const library = foreignPackage('graphql') as GraphQl;

/** The schema of a version of the Admin interface: `2026-10`. */
export function adminSchema(version: string): Schema {
  const file = join(published(SCHEMAS), 'dist', 'data', `admin_${version}.json.gz`);
  return library.buildClientSchema(JSON.parse(gunzipSync(readFileSync(file)).toString()).data);
}

/** What the schema has against a query: unknown fields and arguments, and deprecated ones. */
export function faultsOf(schema: Schema, query: string): readonly string[] {
  const rules = [...library.specifiedRules, library.NoDeprecatedCustomRule];
  return library.validate(schema, library.parse(query), rules).map(({ message }) => message);
}

interface Asked {
  readonly first: number;
  readonly after?: string | null;
  readonly query?: string | null;
}

/** Lists by their name in the schema; the records are ours, and what is not of the schema's types is an error of the server's. */
export type Lists = Readonly<Record<string, readonly { readonly updatedAt: string }[]>>;

/** A GraphQL server that runs this schema, at the address and with the header that Shopify documents. */
export function startAdmin(
  schema: Schema,
  path: string,
  token: string,
  lists: Lists,
): Promise<ForeignServer> {
  const rootValue = Object.fromEntries(
    Object.entries(lists).map(([name, rows]) => [name, (asked: Asked) => connection(rows, asked)]),
  );
  const server = createServer(async (request, response) => {
    const isKnown = request.headers['x-shopify-access-token'] === token;
    const isThere = request.url === path && request.method === 'POST';
    response.writeHead(isKnown ? (isThere ? 200 : 404) : 401, { 'content-type': 'application/json' });
    const { query, variables } = JSON.parse(await text(request));
    const answer = { schema, source: query, rootValue, variableValues: variables };
    response.end(JSON.stringify(isKnown && isThere ? await library.graphql(answer) : { errors: 'refused' }));
  });
  server.listen(0, '127.0.0.1');
  return listening(server);
}

function connection(rows: Lists[string], { first, after, query }: Asked): object {
  const since = /^updated_at:>='(.+)'$/.exec(query ?? '')?.[1] ?? '';
  const found = rows.filter(({ updatedAt }) => Date.parse(updatedAt) >= (Date.parse(since) || 0));
  const start = after ? Number(after) : 0;
  const nodes = found.slice(start, start + first);
  const end = start + nodes.length;
  return {
    nodes,
    pageInfo: { hasNextPage: end < found.length, endCursor: nodes.length > 0 ? String(end) : null },
  };
}
