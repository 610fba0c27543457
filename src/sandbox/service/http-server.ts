import type { Socket } from 'node:net';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { z } from 'zod';
import { messageOf } from '../../base/errors.ts';
import type { Ids } from '../../base/ids.ts';
import type { Log } from '../../base/log.ts';
import type { BehaviourSwitch } from './behaviour.ts';
import type { SandboxControl } from './control.ts';
import type { Door } from './door.ts';
import { type Answer, Refusal, refuse, unknownRoute } from './errors.ts';
import { requireLocal } from './local-guard.ts';
import type { Operation } from './operation.ts';
import type { Query } from './pagination.ts';
import { tooMany } from './rate-limit.ts';
import type { ServiceClock } from './service-clock.ts';
import { LIMITS } from './settings.ts';
import { CURRENT_VERSION, chooseVersion, versionHeaders } from './versions.ts';

const QueryShape = z.record(z.string(), z.union([z.string(), z.array(z.string())]));
const ParamsShape = z.record(z.string(), z.string());

interface ServerParts {
  readonly operations: readonly Operation[];
  readonly door: Door;
  readonly control: SandboxControl;
  readonly behaviour: BehaviourSwitch;
  readonly clock: ServiceClock;
  readonly ids: Ids;
  readonly log: Log;
}

/** Puts the operations and the control routes on fastify: HTTP in, HTTP out, and the faults of the line. */
export function httpServer(parts: ServerParts): FastifyInstance {
  const app = Fastify({
    logger: false,
    bodyLimit: LIMITS.body,
    exposeHeadRoutes: false,
    forceCloseConnections: true,
    genReqId: () => `req_${parts.ids.uuid()}`,
    requestTimeout: 30_000,
    clientErrorHandler: (_error, socket) => refuseGarbage(socket, parts),
    frameworkErrors: (error, request, reply) => void sendRefusal(asRefusal(error, parts.log), request, reply),
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
  addLine(app, parts);
  for (const operation of parts.operations) addOperation(app, operation, parts);
  addControl(app, parts.control);
  app.setNotFoundHandler((request, reply) => sendRefusal(unknownRoute(), request, reply));
  app.setErrorHandler((error, request, reply) => sendRefusal(asRefusal(error, parts.log), request, reply));
  return app;
}

/** What happens to every request before and after its route: version echo, guard, faults, `Date`. */
function addLine(app: FastifyInstance, { behaviour, clock, log }: ServerParts): void {
  app.addHook('onRequest', async (request, reply) => {
    if (isControl(request)) return requireLocal(request.socket.remoteAddress, request.headers);
    if (behaviour.now.offline) return hangUp(request, reply);
    const { version } = chooseVersion(request.headers['service-version'], queryOf(request)['version']);
    reply.headers(versionHeaders(version));
    const failure = behaviour.takeStatus(nameOf(request));
    if (failure) throw failureOf(failure.code, failure.retry_after_s);
  });
  app.addHook('onSend', async (request, reply, payload) => {
    reply.header('Date', clock.httpDate());
    if (isControl(request)) return payload;
    const isDone = reply.statusCode < 300;
    const lost = behaviour.now.offline || (isDone && behaviour.takeAnswerLost(nameOf(request)));
    if (lost) request.raw.socket.destroy();
    return payload;
  });
  app.addHook('onResponse', async (request, reply) => {
    log.debug(
      { request: nameOf(request), status: reply.statusCode, request_id: request.id },
      'sandbox request',
    );
  });
}

function addOperation(app: FastifyInstance, operation: Operation, { door }: ServerParts): void {
  const { method, path: url } = operation;
  app.route({
    method,
    url,
    handler: async (request, reply) => {
      const params = ParamsShape.parse(request.params ?? {});
      if (params['id'] === '') throw unknownRoute();
      const arrival = {
        requestId: request.id,
        method,
        path: pathOf(request),
        params,
        query: queryOf(request),
        headers: request.headers,
        bodyText: typeof request.body === 'string' ? request.body : '',
      };
      const answer = await door.serve(operation, arrival, (headers) => reply.headers(headers));
      return sendAnswer(answer, reply);
    },
  });
}

function addControl(app: FastifyInstance, control: SandboxControl): void {
  const data = (value: unknown) => ({ data: value });
  const idOf = (request: FastifyRequest) => ParamsShape.parse(request.params)['id'] ?? '';
  const terminalOf = (request: FastifyRequest) => ParamsShape.parse(request.params)['name'] ?? '';
  app.get('/sandbox', () => data(control.overview()));
  app.get('/sandbox/ledger', () => data(control.ledger()));
  app.get('/sandbox/terminals', () => data(control.terminals()));
  app.post('/sandbox/behaviour', (request) => data(control.behaveAs(jsonOf(request))));
  app.delete('/sandbox/behaviour', () => data(control.behaveWell()));
  app.post('/sandbox/payments', (request, reply) => {
    reply.code(201);
    return control.requestPayment(jsonOf(request));
  });
  for (const type of ['refund', 'void'] as const) {
    app.post(`/sandbox/payments/:id/${type}`, (request, reply) => {
      reply.code(201);
      return control.requestBack(idOf(request), type, jsonOf(request));
    });
  }
  app.post('/sandbox/payments/:id/cancel', (request) => control.cancelPayment(idOf(request)));
  app.post('/sandbox/terminals/:name/keys', (request) =>
    data(control.press(terminalOf(request), jsonOf(request))),
  );
  app.post('/sandbox/terminals/:name/faults', (request) =>
    data(control.inject(terminalOf(request), jsonOf(request))),
  );
}

function sendAnswer(answer: Answer, reply: FastifyReply): FastifyReply {
  return reply.code(answer.status).type('application/json; charset=utf-8').send(JSON.stringify(answer.body));
}

function sendRefusal(refusal: Refusal, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply.headers(refusal.headers);
  return sendAnswer({ status: refusal.status, body: refusal.bodyFor(request.id) }, reply);
}

function asRefusal(error: unknown, log: Log): Refusal {
  if (error instanceof Refusal) return error;
  const status = statusOf(error);
  if (status === 413) return refuse(413, 'payload_too_large', `The body may have ${LIMITS.body} bytes.`);
  if (status < 500) return refuse(400, 'invalid_request_error', 'The request cannot be used.');
  log.error({ error: messageOf(error) }, 'sandbox service failed');
  return refuse(500, 'internal_error', 'The sandbox service failed.', { type: 'api_error' });
}

function statusOf(error: unknown): number {
  const status: unknown =
    typeof error === 'object' && error !== null ? Reflect.get(error, 'statusCode') : undefined;
  return typeof status === 'number' ? status : 500;
}

function failureOf(status: 429 | 500 | 502 | 503 | 504, retryAfter: number | undefined): Refusal {
  if (status === 429) return tooMany(retryAfter ?? 1);
  const codes = {
    500: 'internal_error',
    502: 'gateway_error',
    503: 'service_unavailable',
    504: 'gateway_error',
  };
  const headers = retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) };
  return refuse(status, codes[status], 'The service fails, as it was told to.', {
    type: 'api_error',
    headers,
  });
}

function hangUp(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply.hijack();
  request.raw.socket.destroy();
  return reply;
}

/** Answers bytes that are not HTTP, which never become a request. */
function refuseGarbage(socket: Socket, { clock, ids }: ServerParts): void {
  if (!socket.writable) return void socket.destroy();
  const refusal = refuse(400, 'invalid_request_error', 'The request is not valid HTTP.');
  const body = JSON.stringify(refusal.bodyFor(`req_${ids.uuid()}`));
  const head = [
    'HTTP/1.1 400 Bad Request',
    `Date: ${clock.httpDate()}`,
    `Service-Version: ${CURRENT_VERSION}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}

function jsonOf(request: FastifyRequest): unknown {
  if (!/^application\/json\s*(;|$)/i.test(request.headers['content-type'] ?? '')) {
    throw refuse(400, 'invalid_request_error', 'The body must be application/json.');
  }
  try {
    return JSON.parse(typeof request.body === 'string' ? request.body : '');
  } catch {
    throw refuse(400, 'invalid_request_error', 'The body is not valid JSON.');
  }
}

function queryOf(request: FastifyRequest): Query {
  return QueryShape.parse(request.query ?? {});
}

function pathOf(request: FastifyRequest): string {
  return request.url.split('?', 1)[0] ?? '';
}

function nameOf(request: FastifyRequest): string {
  return `${request.method} ${pathOf(request)}`;
}

function isControl(request: FastifyRequest): boolean {
  return /^\/sandbox(\/|$)/.test(request.routeOptions.url ?? pathOf(request));
}
