import Fastify, { type FastifyInstance } from 'fastify';
import type { RouteConfig } from '../../../src/api/api.ts';
import { errors } from '../../../src/api/plugins/errors.ts';
import { Idempotency, type IdempotencyDeps, idempotency } from '../../../src/api/plugins/idempotency.ts';

/** A Fastify instance with nothing but the idempotency of requests: a handler decides what is done. A body without a name is invalid. */
export function keyedApi(
  deps: IdempotencyDeps,
  config: Pick<RouteConfig, 'idempotent' | 'showsSecret'>,
  handler: () => unknown,
): FastifyInstance {
  const api = Fastify({ genReqId: ({ headers }) => String(headers['x-request-id']) });
  api.decorateRequest('caller');
  api.decorateRequest('header', () => undefined);
  api.addHook('onRequest', async (request) => {
    const { headers } = request;
    request.header = (name) => (headers[name] === undefined ? undefined : String(headers[name]));
    request.caller = {
      id: String(headers['x-caller']),
      scopes: [],
      person: null,
      user: null,
      from: 'socket',
      hasPeople: () => false,
      stillAllowed: () => true,
    };
  });
  api.register(errors, { log: deps.log });
  api.register(idempotency, { answers: new Idempotency(deps) });
  api.register(async (routes) => {
    routes.setValidatorCompiler(() => (body) => ({
      ...(Reflect.has(Object(body), 'name') ? { value: body } : { error: new Error('no name') }),
    }));
    const schema = { body: {} };
    routes.route({ method: ['PATCH', 'DELETE'], url: '/v2/things/:id', schema, config, handler });
  });
  return api;
}

export interface Keyed {
  readonly caller?: string;
  readonly key?: string;
  readonly method?: 'PATCH' | 'DELETE';
  readonly path?: string;
  readonly body?: object;
  readonly requestId?: string;
}

/** Sends one request under a key. */
export async function askKeyed(api: FastifyInstance, asked: Keyed = {}) {
  const { caller = 'key-1', key = 'once', method = 'PATCH', path = '/v2/things/1' } = asked;
  const { body = { name: 'a' }, requestId = 'req_1' } = asked;
  const headers = { 'idempotency-key': key, 'x-caller': caller, 'x-request-id': requestId };
  const reply = await api.inject({ method, url: path, headers, payload: body });
  return { status: reply.statusCode, text: reply.payload, json: reply.json(), headers: reply.headers };
}
