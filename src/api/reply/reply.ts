import type { Sink } from '../stream/sink.ts';

/** Header names in lower case. */
export type Headers = Readonly<Record<string, string>>;

/** A complete response. */
export interface DocumentReply {
  readonly kind: 'document';
  readonly status: number;
  readonly headers: Headers;
  /** UTF-8 text, already serialized: exactly these bytes are stored under an idempotency key. */
  readonly body: string;
}

/** A response that lasts until one side ends it. */
export interface StreamReply {
  readonly kind: 'stream';
  readonly status: 200;
  readonly headers: Headers;
  /** Starts writing; the returned function ends it and is idempotent. */
  readonly open: (sink: Sink) => () => void;
}

export type Reply = DocumentReply | StreamReply;

const JSON_TYPE = 'application/json; charset=utf-8';

/** A JSON document. */
export function json(status: number, document: unknown, headers: Headers = {}): DocumentReply {
  return jsonText(status, JSON.stringify(document), headers);
}

/** A JSON document that is text already. */
export function jsonText(status: number, body: string, headers: Headers = {}): DocumentReply {
  return { kind: 'document', status, headers: { 'content-type': JSON_TYPE, ...headers }, body };
}

/** Plain text of a given media type. */
export function text(status: number, mediaType: string, body: string): DocumentReply {
  return { kind: 'document', status, headers: { 'content-type': mediaType }, body };
}
