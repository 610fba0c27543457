import { request as httpRequest } from 'node:http';
import type { Method } from './interface.ts';

/** What a row sends. Header names as the interface spells them. */
export interface Ask {
  readonly method?: Method | 'HEAD' | 'OPTIONS';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** An object goes out as JSON, a text as it is. */
  readonly body?: unknown;
}

/** What came back. */
export interface Answer {
  readonly asked: Ask;
  readonly status: number;
  /** Names in lower case; of a repeated one the values are joined by `, `. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** Parsed, when it is JSON; else undefined. */
  readonly json: unknown;
}

const ANSWER_WITHIN_MS = 10_000;

/** One request over a connection of its own, to `http://host:port` or to the path of a unix socket. @throws when there is no answer. */
export function send(to: string, asked: Ask): Promise<Answer> {
  const { method = 'GET', path, headers = {}, body } = asked;
  const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
  const type: Record<string, string> = text === undefined ? {} : { 'content-type': 'application/json' };
  const length = method === 'GET' ? {} : { 'content-length': String(Buffer.byteLength(text ?? '')) };
  const target = to.startsWith('http')
    ? { host: new URL(to).hostname, port: new URL(to).port }
    : { socketPath: to };
  return new Promise((resolve, reject) => {
    const request = httpRequest({
      ...target,
      method,
      path,
      agent: false,
      headers: { ...type, ...length, ...headers },
    });
    request.setTimeout(ANSWER_WITHIN_MS, () => request.destroy(new Error(`no answer to ${method} ${path}`)));
    request.once('error', reject);
    request.once('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('error', reject);
      response.once('end', () => {
        const answered = Buffer.concat(chunks).toString('utf8');
        const { statusCode = 0, headersDistinct } = response;
        const flat = Object.entries(headersDistinct).map(([name, values]) => [
          name,
          (values ?? []).join(', '),
        ]);
        resolve({
          asked,
          status: statusCode,
          headers: Object.fromEntries(flat),
          text: answered,
          json: parsed(answered),
        });
      });
    });
    request.end(text);
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
