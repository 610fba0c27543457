import { describe, expect, it } from 'vitest';
import { HttpAnswerReader } from '../../../src/driver-kit/http-answer.ts';

const bytesOf = (text: string) => Uint8Array.from(Buffer.from(text, 'latin1'));
const LONGEST = 1000;

/** What a reader says after these pieces, and after an orderly end. */
function read(text: string, size = text.length): { readonly status: number; readonly body: string } | null {
  const reader = new HttpAnswerReader(LONGEST);
  const answers = [];
  for (let at = 0; at < text.length; at += size)
    answers.push(...reader.push(bytesOf(text.slice(at, at + size))));
  answers.push(...reader.end());
  const [answer] = answers;
  return answer ? { status: answer.status, body: Buffer.from(answer.body).toString('latin1') } : null;
}

describe('an HTTP answer', () => {
  it.each([
    ['with a length', 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello', { status: 200, body: 'hello' }],
    ['without a body', 'HTTP/1.1 204 No Content\r\n\r\n', { status: 204, body: '' }],
    [
      'in chunks',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3;x=y\r\nhel\r\n2\r\nlo\r\n0\r\nX: y\r\n\r\n',
      { status: 200, body: 'hello' },
    ],
    ['to the end of the connection', 'HTTP/1.0 200 OK\r\n\r\nhello', { status: 200, body: 'hello' }],
    [
      'behind an interim one',
      'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 500 Oops\r\ncontent-length:0\r\n\r\n',
      { status: 500, body: '' },
    ],
    [
      'with something behind it',
      'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokHTTP/1.1 500 x\r\n\r\n',
      { status: 200, body: 'ok' },
    ],
    [
      'with the same length twice',
      'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\nok',
      { status: 200, body: 'ok' },
    ],
    ['whose body is shorter than its length', 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhello', null],
    [
      'whose last chunk is missing',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n',
      null,
    ],
    ['whose head does not end', 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n', null],
  ])('%s, in any pieces', (_title, text, answer) => {
    for (const size of [text.length, 1, 7]) expect(read(text, size)).toEqual(answer);
  });

  it.each([
    ['another protocol', '\x15\x03\x69'],
    ['a request', 'GET / HTTP/1.1\r\n\r\n'],
    ['another version', 'HTTP/2.0 200 OK\r\n\r\n'],
    ['a status of four digits', 'HTTP/1.1 2000 OK\r\n\r\n'],
    ['a switch of protocols', 'HTTP/1.1 101 Upgrade\r\n\r\n'],
    ['nothing but interim ones', 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(9)],
    ['a folded header', 'HTTP/1.1 200 OK\r\nX: y\r\n z\r\n\r\n'],
    ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nok!'],
    [
      'a length beside chunks',
      'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['another coding', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n'],
    ['a length that is none', 'HTTP/1.1 200 OK\r\nContent-Length: +2\r\n\r\nok'],
    ['a length that is too long', 'HTTP/1.1 200 OK\r\nContent-Length: 1001\r\n\r\n'],
    ['a chunk size that is none', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\n'],
    [
      'a chunk that is longer than it says',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhello\r\n0\r\n\r\n',
    ],
    [
      'chunks that are too long together',
      `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${`1f4\r\n${'x'.repeat(500)}\r\n`.repeat(3)}`,
    ],
    ['a body without end', `HTTP/1.1 200 OK\r\n\r\n${'x'.repeat(1001)}`],
    ['a head without end', `HTTP/1.1 200 OK\r\n${'X: y\r\n'.repeat(4000)}`],
    ['too many headers', `HTTP/1.1 200 OK\r\n${'X: y\r\n'.repeat(70)}\r\n`],
  ])('is not %s', (_title, text) => {
    for (const size of [text.length, 1])
      expect(() => read(text, size)).toThrow(expect.objectContaining({ code: 'DECODE_MALFORMED' }));
  });

  it('may have as many chunks as it has bytes', () => {
    const many = 330_000;
    const reader = new HttpAnswerReader(1_000_000);
    const text = `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${'1\r\nx\r\n'.repeat(many)}0\r\n\r\n`;
    expect(reader.push(bytesOf(text))[0]?.body.length).toBe(many);
  });

  it('names its headers in small letters', () => {
    const [answer] = new HttpAnswerReader(LONGEST).push(
      bytesOf('HTTP/1.1 302 Found\r\nLOCATION:  /there \r\nContent-Length: 0\r\n\r\n'),
    );
    expect(answer?.headers.get('location')).toBe('/there');
  });
});
