import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { SandboxControl } from './control.ts';
import { invalid } from './errors.ts';
import { jsonIn, textOf } from './request-body.ts';

const Params = z.record(z.string(), z.string());
const StaleQuery = z.strictObject({ stale: z.literal('true').optional() });

/** Registers the control routes on Fastify: no key, this machine only (see `local-guard.ts`). */
export function addControlRoutes(app: FastifyInstance, control: SandboxControl): void {
  app.get('/sandbox', () => data(control.overview()));
  app.get('/sandbox/ledger', () => data(control.ledger()));
  app.post('/sandbox/behaviour', (request) => data(control.behaveAs(jsonOf(request))));
  app.delete('/sandbox/behaviour', () => data(control.behaveWell()));
  addPaymentRoutes(app, control);
  addTerminalRoutes(app, control);
  addKeyRoutes(app, control);
}

function addPaymentRoutes(app: FastifyInstance, control: SandboxControl): void {
  app.post('/sandbox/payments', (request, reply) => {
    reply.code(201);
    return control.requestPayment(jsonOf(request));
  });
  for (const type of ['refund', 'void'] as const) {
    app.post(`/sandbox/payments/:id/${type}`, (request, reply) => {
      reply.code(201);
      return control.requestBack(param(request, 'id'), type, jsonOf(request));
    });
  }
  app.post('/sandbox/payments/:id/cancel', (request) => control.cancelPayment(param(request, 'id')));
}

function addTerminalRoutes(app: FastifyInstance, control: SandboxControl): void {
  app.get('/sandbox/terminals', () => data(control.terminals()));
  app.post('/sandbox/terminals/:name/keys', (request) =>
    data(control.press(param(request, 'name'), jsonOf(request))),
  );
  app.post('/sandbox/terminals/:name/faults', (request) =>
    data(control.inject(param(request, 'name'), jsonOf(request))),
  );
}

function addKeyRoutes(app: FastifyInstance, { keys }: SandboxControl): void {
  app.get('/sandbox/keys', (request) => {
    const query = StaleQuery.safeParse(request.query ?? {});
    if (!query.success) throw invalid('stale', 'The only parameter is stale=true.');
    return data(keys.list(query.data.stale ? 'stale' : 'all'));
  });
  app.post('/sandbox/keys', (request, reply) => {
    reply.code(201);
    return data(keys.create(jsonOf(request)));
  });
  app.post('/sandbox/keys/:id/roll', (request, reply) => {
    reply.code(201);
    const isBare = textOf(request.body) === '';
    return data(keys.roll(param(request, 'id'), isBare ? {} : jsonOf(request)));
  });
  app.post('/sandbox/keys/:id/revoke', (request) => data(keys.revoke(param(request, 'id'))));
  app.get('/sandbox/key-events', () => data(keys.audit()));
}

function data(value: unknown): { readonly data: unknown } {
  return { data: value };
}

function param(request: FastifyRequest, name: string): string {
  return Params.parse(request.params)[name] ?? '';
}

/** A body must declare that it is JSON: the form of a web page cannot. */
function jsonOf(request: FastifyRequest): unknown {
  return jsonIn(textOf(request.body), request.headers['content-type']);
}
