import { malformed } from './byte-reader.ts';
import type { FrameSource } from './exchange.ts';

/** An HTTP answer. Header names in small letters. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Uint8Array;
}

/** Longest head, and most of its lines; a terminal sends a few. */
const LONGEST_HEAD = 16_384;
const MOST_LINES = 64;
/** Longest line of a chunked body: a size and its extensions, or a trailer. */
const LONGEST_LINE = 1024;
/** `100 Continue` and the like, before the answer. */
const MOST_INTERIM = 4;
const START = 'HTTP/1.';
const [CR, LF] = [0x0d, 0x0a];
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

interface Head {
  readonly status: number;
  readonly headers: Map<string, string>;
  /** Where the body begins. */
  readonly at: number;
}

/**
 * Reads the one answer of a connection (RFC 9112): of a stated length, in chunks, or to the end of the connection.
 * Strict, because two readings of one answer would be two results: a length that is not one, two of them, or a length beside chunks is
 * malformed. What follows the answer is not read.
 */
export class HttpAnswerReader implements FrameSource<HttpAnswer> {
  readonly #longestBody: number;
  #buffer = new Uint8Array(1024);
  #length = 0;
  /** Where the next head begins, and up to where its end was looked for. */
  #start = 0;
  #searched = 0;
  #interim = 0;
  #head: Head | undefined;
  #chunked: { at: number; readonly parts: Uint8Array[]; size: number } | undefined;
  #isDone = false;

  /** @param longestBody bytes */
  constructor(longestBody: number) {
    this.#longestBody = longestBody;
  }

  /** What came, from its first byte; for the recognition of other protocols. */
  get heard(): Uint8Array {
    return this.#buffer.slice(0, this.#length);
  }

  /** @throws DECODE_MALFORMED */
  push(bytes: Uint8Array): readonly HttpAnswer[] {
    if (this.#isDone) return [];
    this.#add(bytes);
    return this.#answers(false);
  }

  /** The connection ended in order. @throws DECODE_MALFORMED */
  end(): readonly HttpAnswer[] {
    return this.#isDone ? [] : this.#answers(true);
  }

  #answers(isEnd: boolean): readonly HttpAnswer[] {
    this.#head ??= this.#readHead();
    if (!this.#head) return [];
    const body = this.#body(this.#head, isEnd);
    if (!body) return [];
    this.#isDone = true;
    return [{ status: this.#head.status, headers: this.#head.headers, body }];
  }

  #add(bytes: Uint8Array): void {
    const length = this.#length + bytes.length;
    if (length > LONGEST_HEAD + 2 * this.#longestBody)
      throw malformed(this.#length, 'the answer is too long');
    if (length > this.#buffer.length) {
      const larger = new Uint8Array(Math.max(length, 2 * this.#buffer.length));
      larger.set(this.#buffer.subarray(0, this.#length));
      this.#buffer = larger;
    }
    this.#buffer.set(bytes, this.#length);
    this.#length = length;
  }

  #readHead(): Head | undefined {
    const begun = this.#text(0, Math.min(this.#length, START.length));
    if (this.#interim === 0 && !START.startsWith(begun)) throw malformed(0, 'not an HTTP answer');
    for (let from = this.#start; ; from = this.#start) {
      const end = this.#headEnd();
      if (end === undefined) {
        if (this.#length - from > LONGEST_HEAD) throw malformed(from, 'the head is too long');
        return undefined;
      }
      const head = headOf(this.#text(from, end - 4).split('\r\n'), from, end);
      this.#start = end;
      this.#searched = end;
      if (head.status >= 200) return head;
      this.#interim += 1;
      if (this.#interim > MOST_INTERIM || head.status === 101) throw malformed(from, 'no answer follows');
    }
  }

  /** Behind the next empty line. */
  #headEnd(): number | undefined {
    for (; this.#searched + 4 <= this.#length; this.#searched += 1)
      if (this.#isLineEnd(this.#searched) && this.#isLineEnd(this.#searched + 2)) return this.#searched + 4;
    return undefined;
  }

  #isLineEnd(at: number): boolean {
    return this.#buffer[at] === CR && this.#buffer[at + 1] === LF;
  }

  #body({ status, headers, at }: Head, isEnd: boolean): Uint8Array | undefined {
    if (status === 204 || status === 304) return new Uint8Array();
    const [coding, length] = [headers.get('transfer-encoding'), headers.get('content-length')];
    if (coding !== undefined) {
      if (coding.toLowerCase() !== 'chunked' || length !== undefined)
        throw malformed(0, 'the end of the body is ambiguous');
      return this.#chunks(at);
    }
    if (length === undefined) {
      if (this.#length - at > this.#longestBody) throw malformed(at, 'the body is too long');
      return isEnd ? this.#buffer.slice(at, this.#length) : undefined;
    }
    if (!/^\d{1,9}$/.test(length)) throw malformed(0, 'the length is no number');
    if (Number(length) > this.#longestBody) throw malformed(at, 'the body is too long');
    const end = at + Number(length);
    return this.#length < end ? undefined : this.#buffer.slice(at, end);
  }

  /** The chunks are read as they come, each once. */
  #chunks(start: number): Uint8Array | undefined {
    this.#chunked ??= { at: start, parts: [], size: 0 };
    const chunks = this.#chunked;
    for (;;) {
      const line = this.#line(chunks.at);
      if (!line) return undefined;
      const digits = /^([0-9A-Fa-f]{1,7})(?:[ \t]*;.*)?$/.exec(line.text)?.[1];
      if (digits === undefined) throw malformed(chunks.at, 'the size of a chunk is no number');
      const length = Number.parseInt(digits, 16);
      if (length === 0) return this.#hasTrailers(line.next) ? joined(chunks.parts, chunks.size) : undefined;
      if (chunks.size + length > this.#longestBody) throw malformed(chunks.at, 'the body is too long');
      const end = line.next + length;
      if (this.#length < end + 2) return undefined;
      if (!this.#isLineEnd(end)) throw malformed(end, 'a chunk does not end where it should');
      chunks.parts.push(this.#buffer.slice(line.next, end));
      chunks.size += length;
      chunks.at = end + 2;
    }
  }

  /** Trailers are passed over. */
  #hasTrailers(from: number): boolean {
    for (let at = from, count = 0; ; count += 1) {
      const line = this.#line(at);
      if (!line) return false;
      if (line.text === '') return true;
      if (count >= MOST_LINES) throw malformed(at, 'too many trailers');
      at = line.next;
    }
  }

  #line(from: number): { readonly text: string; readonly next: number } | undefined {
    for (let at = from; at + 2 <= this.#length; at += 1) {
      if (this.#isLineEnd(at)) return { text: this.#text(from, at), next: at + 2 };
      if (at - from > LONGEST_LINE) throw malformed(from, 'a line is too long');
    }
    return undefined;
  }

  #text(from: number, to: number): string {
    return new TextDecoder('latin1').decode(this.#buffer.subarray(from, to));
  }
}

function headOf(lines: readonly string[], from: number, at: number): Head {
  const status = /^HTTP\/1\.[01] (\d{3})(?: [^\r\n]*)?$/.exec(lines[0] ?? '')?.[1];
  if (status === undefined) throw malformed(from, 'the status line cannot be read');
  if (lines.length > MOST_LINES) throw malformed(from, 'too many headers');
  const headers = new Map<string, string>();
  for (const line of lines.slice(1)) {
    const colon = line.indexOf(':');
    const name = line.slice(0, Math.max(0, colon)).toLowerCase();
    if (!TOKEN.test(name)) throw malformed(from, 'a header cannot be read');
    const value = line.slice(colon + 1).trim();
    const known = headers.get(name);
    const mustBeOne = name === 'content-length' || name === 'transfer-encoding';
    if (mustBeOne && known !== undefined && known !== value)
      throw malformed(from, 'the end of the body is ambiguous');
    headers.set(name, known === undefined || mustBeOne ? value : `${known}, ${value}`);
  }
  return { status: Number(status), headers, at };
}

/** Not `concatBytes`: a body may have more chunks than a call has arguments. */
function joined(parts: readonly Uint8Array[], size: number): Uint8Array {
  const body = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    body.set(part, at);
    at += part.length;
  }
  return body;
}
