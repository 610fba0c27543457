import { PassThrough, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { findDestination } from '../alerts/destinations.ts';
import type { SendDeps } from '../alerts/send.ts';
import { tryDestination } from '../alerts/try-destination.ts';
import { audit } from '../database/audit.ts';
import { asTenant, type Database } from '../database/connect.ts';
import { asOperator, endSession, openSession } from '../operators/authenticate.ts';
import { CSV_HEADER, exportedJournal, lineOf } from '../operators/export.ts';
import { AlertName } from './alert-routes.ts';
import { overloaded } from './errors.ts';
import { openApiDocument } from './openapi.ts';
import { OPERATOR_ROUTES, PERIOD } from './operator-route.ts';
import { checked, jsonOf } from './parsed.ts';
import type { OperatorRoute } from './route.ts';
import { requireSameOrigin, sessionCookie, shownProof } from './session-cookie.ts';

interface OperatorDeps {
  readonly database: Database;
  readonly now: () => number;
  readonly alerts: SendDeps;
}

/** Exports that one hub writes at a time: each holds a connection. */
const MOST_EXPORTS = 2;
const LONGEST_EXPORT_MS = 3_600_000;

export function addOperatorRoutes(hub: FastifyInstance, deps: OperatorDeps): void {
  for (const route of OPERATOR_ROUTES) addRoute(hub, route, deps);
  addSession(hub, deps);
  addExport(hub, deps);
  addDestinationTest(hub, deps);
  hub.get('/openapi.json', () => openApiDocument(OPERATOR_ROUTES));
}

function addRoute(hub: FastifyInstance, route: OperatorRoute, { database, now }: OperatorDeps): void {
  hub.route({
    method: route.method,
    url: route.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    handler: async (request, reply) => {
      const at = now();
      const body = await asOperator(database, shownProof(request), route.role, at, (transaction, operator) =>
        route.run({ transaction, operator, input: checked(route.input, inputOf(request)), now: at }),
      );
      return reply.code(route.status).header('cache-control', 'no-store').send(body);
    },
  });
}

function inputOf({ method, params, query, body }: FastifyRequest): object {
  const sent = method === 'GET' ? query : Buffer.isBuffer(body) && body.length > 0 ? jsonOf(body) : {};
  return { ...checked(z.record(z.string(), z.unknown()), sent), ...(params as object) };
}

/** A page signs in with an operator's token, and has a session from there on. */
function addSession(hub: FastifyInstance, { database, now }: OperatorDeps): void {
  const view = ({ name, role }: { readonly name: string; readonly role: string }) => ({
    data: { name, role },
  });
  hub.post('/v1/session', async (request, reply) => {
    requireSameOrigin(request);
    const { token } = checked(z.strictObject({ token: z.string().max(100) }), inputOf(request));
    const proof = { kind: 'token', secret: token } as const;
    const { secret, operator } = await asOperator(
      database,
      proof,
      'viewer',
      now(),
      async (transaction, who) => ({
        secret: await openSession(transaction, who, now()),
        operator: who,
      }),
    );
    return reply.code(201).header('set-cookie', sessionCookie(request, secret)).send(view(operator));
  });
  hub.get('/v1/session', (request) =>
    asOperator(database, shownProof(request), 'viewer', now(), async (_, operator) => view(operator)),
  );
  hub.delete('/v1/session', async (request, reply) => {
    const proof = shownProof(request);
    await asOperator(database, proof, 'viewer', now(), (transaction) =>
      endSession(transaction, proof.secret),
    );
    return reply.code(204).header('set-cookie', sessionCookie(request, null)).send();
  });
}

/** Tests that one hub sends at a time: each may take as long as its receiver lets it. */
const MOST_TESTS = 4;

/** No transaction is open while the message is sent. */
function addDestinationTest(hub: FastifyInstance, { database, now, alerts }: OperatorDeps): void {
  let running = 0;
  hub.post('/v1/alert-destinations/:name/test', async (request, reply) => {
    const destination = await asOperator(
      database,
      shownProof(request),
      'admin',
      now(),
      async (transaction, { tenant, name: operator }) => {
        const { name } = checked(z.strictObject({ name: AlertName }), inputOf(request));
        const found = await findDestination(transaction, name);
        await audit(transaction, tenant, `operator ${operator}`, 'alert_destination_tested', { name });
        return found;
      },
    );
    if (running >= MOST_TESTS) throw overloaded(10);
    running += 1;
    try {
      const error = await tryDestination(alerts, destination, now());
      return reply.header('cache-control', 'no-store').send({ data: { delivered: error === null, error } });
    } finally {
      running -= 1;
    }
  });
}

const Export = z
  .strictObject({ ...PERIOD, format: z.enum(['ndjson', 'csv']).default('ndjson') })
  .refine(({ from, to }) => Date.parse(from) < Date.parse(to), {
    path: ['to'],
    error: 'must be later than from',
  });

function addExport(hub: FastifyInstance, { database, now }: OperatorDeps): void {
  let running = 0;
  hub.get('/v1/exports/journal', async (request, reply) => {
    const { tenant, from, to, format } = await asOperator(
      database,
      shownProof(request),
      'viewer',
      now(),
      async (transaction, operator) => {
        const wanted = checked(Export, request.query);
        await audit(transaction, operator.tenant, `operator ${operator.name}`, 'journal_exported', wanted);
        return { ...wanted, tenant: operator.tenant };
      },
    );
    if (running >= MOST_EXPORTS) throw overloaded(30);
    running += 1;
    const out = new PassThrough();
    const period = { from: new Date(from), to: new Date(to) };
    asTenant(database, tenant, (transaction) => {
      const lines = async function* () {
        if (format === 'csv') yield CSV_HEADER;
        for await (const line of exportedJournal(transaction, period)) yield lineOf(line, format);
      };
      const signal = AbortSignal.timeout(LONGEST_EXPORT_MS);
      return pipeline(Readable.from(lines()), out, { signal });
    })
      // A client sees it as a file without its end.
      .catch((error: unknown) => out.destroy(error instanceof Error ? error : new Error(String(error))))
      .finally(() => {
        running -= 1;
      });
    return await sendFile(reply, out, format);
  });
}

function sendFile(reply: FastifyReply, out: PassThrough, format: 'ndjson' | 'csv'): FastifyReply {
  return reply
    .type(format === 'csv' ? 'text/csv; charset=utf-8' : 'application/x-ndjson')
    .header('content-disposition', `attachment; filename="journal.${format}"`)
    .header('cache-control', 'no-store')
    .send(out);
}
