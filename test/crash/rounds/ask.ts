import { request } from 'node:http';

/** An answer of the daemon. */
export interface Answer {
  readonly status: number;
  readonly isReplay: boolean;
  /** The parsed JSON; `null` for an empty body. */
  readonly body: unknown;
}

/** The daemon was not there, or died before it answered: nobody knows what became of the request. */
export class NoAnswer extends Error {}

/** A request to the local interface, over TCP with an API key or over the unix socket as staff of the machine. */
export interface Question {
  readonly at: { readonly url: string; readonly key: string } | { readonly socket: string };
  readonly method: 'GET' | 'POST';
  /** Below `/v2`. */
  readonly path: string;
  readonly body?: unknown;
  readonly idempotencyKey?: string | undefined;
}

const LIMIT_MS = 60_000;

/** Asks once. @throws NoAnswer */
export function ask(question: Question): Promise<Answer> {
  const { at, method, path } = question;
  const text = question.body === undefined ? '' : JSON.stringify(question.body);
  const target = 'socket' in at ? { socketPath: at.socket, host: 'localhost' } : targetOf(at.url);
  return new Promise((resolve, reject) => {
    const fail = (error: Error) => reject(new NoAnswer(`${method} ${path}: ${error.message}`));
    const asked = request(
      {
        ...target,
        method,
        path: `/v2${path}`,
        agent: false,
        timeout: LIMIT_MS,
        headers: headersOf(question, text),
      },
      (reply) => {
        const pieces: Buffer[] = [];
        reply.on('data', (piece: Buffer) => pieces.push(piece));
        reply.on('error', fail);
        reply.on('close', () => {
          if (!reply.complete) return fail(new Error('the answer was cut off'));
          const output = Buffer.concat(pieces).toString();
          const isReplay = reply.headers['idempotent-replayed'] === 'true';
          resolve({
            status: reply.statusCode ?? 0,
            isReplay,
            body: output === '' ? null : JSON.parse(output),
          });
        });
      },
    );
    asked.on('error', fail);
    asked.on('timeout', () => asked.destroy(new Error('no answer in time')));
    asked.end(text);
  });
}

function targetOf(url: string): { readonly host: string; readonly port: number } {
  const { hostname, port } = new URL(url);
  return { host: hostname, port: Number(port) };
}

function headersOf({ at, idempotencyKey }: Question, text: string): Record<string, string> {
  return {
    ...('key' in at ? { 'x-api-key': at.key } : {}),
    ...(text === ''
      ? {}
      : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(text)) }),
    ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
  };
}
