import type { Wire } from '../../../src/sandbox/terminal/wire.ts';

const LONGEST = 64 * 1024;

/**
 * The body of the one request of a connection; null when the connection ended before it was whole, or it is none. It does not share the
 * driver's reader, because shared code would hide the same error on both sides.
 */
export async function requestOn(wire: Wire): Promise<string | null> {
  let text = '';
  for await (const chunk of wire.bytes()) {
    text += String.fromCharCode(...chunk);
    const end = text.indexOf('\r\n\r\n');
    if (text.length > LONGEST || !'POST /till'.startsWith(text.slice(0, 10))) return null;
    if (end === -1) continue;
    const length = /\r\ncontent-length: *(\d+)/i.exec(text.slice(0, end))?.[1];
    const body = text.slice(end + 4);
    if (length === undefined) return null;
    if (body.length >= Number(length)) return body.slice(0, Number(length));
  }
  return null;
}

export function answerOn(wire: Wire, status: 200 | 400, document: object): void {
  const body = JSON.stringify(document);
  const head = [
    `HTTP/1.1 ${status} ${status === 200 ? 'OK' : 'Bad Request'}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    'Connection: close',
  ];
  wire.frame(new TextEncoder().encode(`${head.join('\r\n')}\r\n\r\n${body}`));
}
