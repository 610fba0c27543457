import type { Socket } from 'node:net';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { z } from 'zod';
import { messageOf } from '../../base/errors.ts';
import type { Ids } from '../../base/ids.ts';
import type { Log } from '../../base/log.ts';
import type { BehaviourSwitch } from './behaviour.ts';
import type { SandboxControl } from './control.ts';
import { addControlRoutes } from './control-routes.ts';
import { CROSS_ORIGIN_HEADERS, isCrossOrigin, PREFLIGHT_HEADERS } from './cross-origin.ts';
import { type Answer, issueList, Refusal, refuse, unknownRoute } from './errors.ts';
import { foreignAnswerOf } from './foreign-answer.ts';
import { requireLocal } from './local-guard.ts';
import type { Operation } from './operation.ts';
import { refusalOf } from './ordered-failure.ts';
import type { Query } from './pagination.ts';
import { textOf } from './request-body.ts';
import type { RequestPipeline } from './request-pipeline.ts';
import type { ServiceClock } from './service-clock.ts';
import { LIMITS } from './settings.ts';
import { CURRENT_VERSION, chooseVersion, versionHeaders } from './versions.ts';

const QueryShape = z.record(z.string(), z.union([z.string(), z.array(z.string())]));
const ParamsShape = z.record(z.string(), z.string());

interface ServerDeps {
  readonly operations: readonly Operation[];
  readonly pipeline: RequestPipeline;
  readonly control: SandboxControl;
  readonly behaviour: BehaviourSwitch;
  readonly clock: ServiceClock;
  readonly ids: Ids;
  readonly log: Log;
}

/** Registers the operations and the control routes on Fastify, and applies the faults of the connection. */
export function httpServer(deps: ServerDeps): FastifyInstance {
  const app = Fastify({
    logger: false,
    bodyLimit: LIMITS.body,
    // The id of an external package, percent-encoded.
    routerOptions: { maxParamLength: 4096 },
    exposeHeadRoutes: false,
    forceCloseConnections: true,
    genReqId: () => `req_${deps.ids.uuid()}`,
    requestTimeout: 30_000,
    clientErrorHandler: (error, socket) => refuseGarbage(error, socket, deps),
    // A proxy sends the absolute form: `GET http://host/v2/…`.
    rewriteUrl: ({ url = '/' }) => url.replace(/^https?:\/\/[^/?]*/i, ''),
    frameworkErrors: (error, request, reply) => {
      if (deps.behaviour.now.offline) return void hangUp(request, reply);
      greet(request, reply.header('Date', deps.clock.httpDate()));
      refuseTo(request, reply, error);
    },
  });
  const refuseTo = (request: FastifyRequest, reply: FastifyReply, error: unknown) =>
    sendRefusal(asRefusal(error, deps.log), request, reply, deps.behaviour.now.issue_lists);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  addLine(app, deps);
  for (const operation of deps.operations) addOperation(app, operation, deps);
  addPreflight(app);
  addControlRoutes(app, deps.control);
  app.setNotFoundHandler((request, reply) => refuseTo(request, reply, unknownRoute()));
  app.setErrorHandler((error, request, reply) => refuseTo(request, reply, error));
  return app;
}

/** Runs before and after every route: version echo, guard, faults, `Date`. */
function addLine(app: FastifyInstance, { behaviour, clock, log }: ServerDeps): void {
  app.addHook('onRequest', async (request, reply) => {
    if (isControl(request)) return requireLocal(request.socket.remoteAddress, request.headers);
    if (behaviour.now.offline) return hangUp(request, reply);
    const foreign = behaviour.foreignTo(nameOf(request));
    if (foreign) return sendForeign(foreignAnswerOf(foreign), reply);
    greet(request, reply);
    const failure = behaviour.takeStatus(nameOf(request));
    if (failure) throw refusalOf(failure, request.id);
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

/** Headers of every answer of the service. */
function greet(request: FastifyRequest, reply: FastifyReply): void {
  const { version } = chooseVersion(request.headers['service-version'], queryOf(request)['version']);
  reply.headers(versionHeaders(version));
  if (isCrossOrigin(pathOf(request))) reply.headers(CROSS_ORIGIN_HEADERS);
}

function addOperation(app: FastifyInstance, operation: Operation, { pipeline }: ServerDeps): void {
  const { method, path: url, bodyLimit = LIMITS.body } = operation;
  app.route({
    method,
    url,
    bodyLimit,
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
        bodyText: textOf(request.body),
        address: request.socket.remoteAddress,
      };
      const answer = await pipeline.serve(operation, arrival, (headers) => reply.headers(headers));
      return sendAnswer(answer, reply);
    },
  });
}

function addPreflight(app: FastifyInstance): void {
  app.options('/v2/*', (request, reply) => {
    if (request.headers['access-control-request-method'] === undefined) throw unknownRoute();
    return reply.code(204).headers(PREFLIGHT_HEADERS).send();
  });
}

function sendAnswer(answer: Answer, reply: FastifyReply): FastifyReply {
  return reply.code(answer.status).type('application/json; charset=utf-8').send(JSON.stringify(answer.body));
}

function sendForeign({ status, headers, body }: ReturnType<typeof foreignAnswerOf>, reply: FastifyReply) {
  return reply.code(status).headers(headers).send(body);
}

function sendRefusal(
  refusal: Refusal,
  request: FastifyRequest,
  reply: FastifyReply,
  asIssues: boolean,
): FastifyReply {
  const { status, headers, issues } = refusal;
  const body = asIssues && issues.length > 0 ? issueList(issues) : refusal.bodyFor(request.id);
  return sendAnswer({ status, body }, reply.headers(headers));
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

function hangUp(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply.hijack();
  request.raw.socket.destroy();
  return reply;
}

/** Node's reason for closing the connection → status line and text; anything else is not HTTP. */
const GARBAGE: Readonly<Record<string, readonly [string, string]>> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'The headers are too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request came too slowly.'],
};

/** Answers bytes that are not a valid request. */
function refuseGarbage(error: Error, socket: Socket, { clock, ids }: ServerDeps): void {
  if (!socket.writable) return void socket.destroy();
  const code = String(Reflect.get(error, 'code'));
  const [status, words] = GARBAGE[code] ?? ['400 Bad Request', 'The request is not valid HTTP.'];
  const refusal = refuse(Number(status.slice(0, 3)), 'invalid_request_error', words);
  const body = JSON.stringify(refusal.bodyFor(`req_${ids.uuid()}`));
  const head = [
    `HTTP/1.1 ${status}`,
    `Date: ${clock.httpDate()}`,
    `Service-Version: ${CURRENT_VERSION}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
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
