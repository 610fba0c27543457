import { statSync } from 'node:fs';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import type { z } from 'zod';
import { IssueList } from '../api/contract/integration.ts';
import { AppError, messageOf } from '../base/errors.ts';
import { type FailureDocument, isFailureDocument } from './failure.ts';
import { groupOf, userOf } from './users.ts';

/** The API version that the contract describes. */
const INTERFACE_VERSION = '2026-05-01';
const ANSWER_TIMEOUT_MS = 10_000;
const LARGEST_ANSWER_BYTES = 16_777_216;
/** Errors of the connection itself: no byte of the request was sent. */
const NOT_THERE = ['ENOENT', 'ECONNREFUSED', 'EACCES', 'EPERM', 'ENOTSOCK', 'ENOTDIR', 'EPROTOTYPE'];

/** A 2xx response: `body` as received, additions included, and `value` as the contract parses it. */
export interface Answer<T> {
  readonly body: unknown;
  readonly value: T;
}

export interface Call {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Client of the daemon's local API over its unix socket.
 * One connection for each call: it reaches a daemon that restarts in between again.
 */
export class DaemonClient {
  readonly #socketPath: string;
  readonly #timeoutMs: number;

  constructor(socketPath: string, timeoutMs = ANSWER_TIMEOUT_MS) {
    this.#socketPath = socketPath;
    this.#timeoutMs = timeoutMs;
  }

  /**
   * Sends one request.
   * @throws NO_DAEMON when no process listens (nothing was sent); CONNECTION_LOST when no response came;
   * REFUSED with the error response as `context.document` and `context.status`; ANSWER_INVALID when the response violates the contract.
   */
  async call<T extends z.ZodType>(call: Call, schema: T): Promise<Answer<z.output<T>>> {
    const signal = withTimeout(this.#timeoutMs, call.signal);
    const response = await this.open(call, signal);
    const text = await textOf(response, signal);
    const status = response.statusCode ?? 0;
    const body = jsonOf(text, call.path, status);
    if (status < 200 || status > 299) throw refused(status, body);
    const parsed = schema.safeParse(body);
    if (parsed.success) return { body, value: parsed.data };
    const where = parsed.error.issues.slice(0, 3).map((issue) => `${issue.path.join('.')}: ${issue.message}`);
    throw new AppError(
      'ANSWER_INVALID',
      `tilld answered ${call.path} in a way this tillctl does not know: ${where.join('; ')}`,
    );
  }

  /** Sends a call and returns the response once its head has arrived. @throws as {@link call} */
  open(call: Call, signal: AbortSignal): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const payload = call.body === undefined ? undefined : JSON.stringify(call.body);
      const outgoing: ClientRequest = request({
        socketPath: this.#socketPath,
        method: call.method ?? 'GET',
        path: call.path,
        agent: false,
        signal,
        headers: {
          accept: 'application/json',
          'service-version': INTERFACE_VERSION,
          'x-tilld-user': callingUser(),
          ...(payload === undefined
            ? {}
            : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(payload)) }),
          ...call.headers,
        },
      });
      outgoing.on('response', resolve);
      outgoing.on('error', (error) => reject(connectionError(error, this.#socketPath, signal)));
      outgoing.end(payload);
    });
  }
}

/** Who calls, also behind sudo: a named person of the shop may have this user. */
function callingUser(): string {
  const sudoer = process.getuid?.() === 0 ? process.env['SUDO_USER'] : undefined;
  return (sudoer || userOf(process.getuid?.() ?? 0)).replace(/ /g, '-');
}

function withTimeout(ms: number, signal: AbortSignal | undefined): AbortSignal {
  const timeout = AbortSignal.timeout(ms);
  return signal ? AbortSignal.any([signal, timeout]) : timeout;
}

async function textOf(response: IncomingMessage, signal: AbortSignal): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of response) {
      if (!Buffer.isBuffer(chunk)) continue;
      size += chunk.length;
      if (size > LARGEST_ANSWER_BYTES)
        throw new AppError('ANSWER_INVALID', 'the answer of tilld is too large');
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw lost(error, signal);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function jsonOf(text: string, path: string, status: number): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new AppError('ANSWER_INVALID', `the answer of tilld to ${path} (${status}) is not JSON`, {
      cause: error,
    });
  }
}

/** The API has an envelope, two flat shapes (idempotency, unknown route) and a list of issues; `--json` prints all as the envelope. */
function refused(status: number, body: unknown): AppError {
  const document = envelopeOf(status, body);
  return new AppError('REFUSED', document.error.message, { context: { status, document } });
}

function envelopeOf(status: number, body: unknown): FailureDocument {
  if (isFailureDocument(body)) return body;
  const listed = IssueList.safeParse(body);
  if (listed.success) return issuesOf(listed.data.error);
  const flat = typeof body === 'object' && body !== null ? body : {};
  const message = 'error' in flat && typeof flat.error === 'string' ? flat.error : `tilld answered ${status}`;
  const code = 'code' in flat && typeof flat.code === 'string' ? flat.code : 'route_unknown';
  const idempotency = code.startsWith('IDEMPOTENCY_');
  const more = {
    ...('originalRequestId' in flat ? { details: { originalRequestId: flat.originalRequestId } } : {}),
    ...('request_id' in flat ? { request_id: flat.request_id } : {}),
  };
  return {
    error: { type: idempotency ? 'idempotency_error' : 'invalid_request_error', code, message, ...more },
  };
}

function issuesOf({ issues, request_id }: IssueList['error']): FailureDocument {
  const found = issues.map(({ path, message }) => ({ path: path.join('.'), message }));
  const [first = { path: '', message: 'is not accepted' }] = found;
  const message = `${first.path === '' ? 'the request' : first.path}: ${first.message}`;
  const named = request_id === undefined ? {} : { request_id };
  const error = { type: 'invalid_request_error', code: 'validation_error', message, ...named };
  return { error: found.length > 1 ? { ...error, details: { issues: found } } : error };
}

function connectionError(error: NodeJS.ErrnoException, path: string, signal: AbortSignal): AppError {
  if (!NOT_THERE.includes(error.code ?? '')) return lost(error, signal);
  const denied = error.code === 'EACCES' || error.code === 'EPERM';
  const message = denied
    ? deniedAt(path)
    : `tilld is not running: no program listens at ${path}. Start it, or use --socket PATH.`;
  return new AppError('NO_DAEMON', message, { context: { socket: path }, cause: error });
}

function deniedAt(path: string): string {
  const facts = statSync(path, { throwIfNoEntry: false });
  const group = facts ? groupOf(facts.gid) : 'tilld';
  const me = userOf(process.getuid?.() ?? 0);
  return `you may not use tilld at ${path}: you are not in the group ${group}. An administrator runs: sudo usermod -aG ${group} ${me}. Then sign in again.`;
}

function lost(error: unknown, signal: AbortSignal): AppError {
  const late = signal.reason instanceof DOMException && signal.reason.name === 'TimeoutError';
  const why = late ? 'no answer in time' : messageOf(error);
  return new AppError('CONNECTION_LOST', `the connection to tilld was lost: ${why}`, {
    moneyMoved: 'unknown',
    cause: error,
  });
}
