import type { Wire } from '../../../src/sandbox/terminal/wire.ts';

const LONGEST = 1024 * 1024;
const STATUS: Readonly<Record<number, string>> = {
  200: 'OK',
  400: 'Bad Request',
  404: 'Not Found',
  503: 'Service Unavailable',
};

/** What a till posted. */
export interface Posted {
  readonly path: string;
  readonly body: string;
}

/**
 * The one request of a connection; 'bad' when it is none, null when the connection ended before it was whole: of a stated length, or in
 * chunks. It does not share the driver's reader, because shared code would hide the same error on both sides.
 */
export async function requestOn(wire: Wire): Promise<Posted | 'bad' | null> {
  let text = '';
  for await (const chunk of wire.bytes()) {
    text += Buffer.from(chunk).toString('latin1');
    if (text.length > LONGEST) return 'bad';
    const request = requestIn(text);
    if (request !== 'more') return request;
  }
  return null;
}

function requestIn(text: string): Posted | 'bad' | 'more' {
  if (!'POST /'.startsWith(text.slice(0, 6))) return 'bad';
  const [head, ...rest] = text.split('\r\n\r\n');
  if (rest.length === 0 || head === undefined) return 'more';
  const [line = '', ...headers] = head.split('\r\n');
  const path = /^POST (\/\S*) HTTP\/1\.1$/.exec(line)?.[1];
  if (path === undefined) return 'bad';
  const body = rest.join('\r\n\r\n');
  if (headers.some((header) => /^transfer-encoding: *chunked$/i.test(header))) return chunkedIn(path, body);
  const lengths = headers.filter((header) => /^content-length:/i.test(header));
  const length = Number(lengths[0]?.split(':')[1] ?? Number.NaN);
  if (lengths.length !== 1 || !Number.isSafeInteger(length)) return 'bad';
  if (body.length < length) return 'more';
  return { path, body: Buffer.from(body.slice(0, length), 'latin1').toString('utf8') };
}

function chunkedIn(path: string, body: string): Posted | 'bad' | 'more' {
  let text = '';
  for (let at = 0; ; ) {
    const end = body.indexOf('\r\n', at);
    if (end === -1) return 'more';
    const size = Number.parseInt(body.slice(at, end), 16);
    if (Number.isNaN(size)) return 'bad';
    if (size === 0) return { path, body: Buffer.from(text, 'latin1').toString('utf8') };
    if (body.length < end + size + 4) return 'more';
    text += body.slice(end + 2, end + 2 + size);
    at = end + size + 4;
  }
}

/** Answers the request; `chunked`: without a length. */
export function answerOn(wire: Wire, status: number, body: string, chunked: boolean): void {
  const bytes = Buffer.from(body, 'utf8');
  const head = [
    `HTTP/1.1 ${status} ${STATUS[status] ?? 'Answer'}`,
    'Content-Type: application/json',
    'Connection: close',
  ];
  if (!chunked) {
    wire.frame(
      Buffer.concat([Buffer.from([...head, `Content-Length: ${bytes.length}`, '', ''].join('\r\n')), bytes]),
    );
    return;
  }
  const half = Math.ceil(bytes.length / 2);
  const parts = [bytes.subarray(0, half), bytes.subarray(half)].filter((part) => part.length > 0);
  const chunks = parts.map((part) =>
    Buffer.concat([Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n')]),
  );
  wire.frame(
    Buffer.concat([
      Buffer.from([...head, 'Transfer-Encoding: chunked', '', ''].join('\r\n')),
      ...chunks,
      Buffer.from('0\r\n\r\n'),
    ]),
  );
}
