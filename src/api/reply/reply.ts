import type { FastifyReply } from 'fastify';
import { ResponseSink } from '../stream/response-sink.ts';
import type { Sink } from '../stream/sink.ts';

/** Header names in lower case. */
export type Headers = Readonly<Record<string, string>>;

/** A response that lasts until one side ends it. */
export interface StreamReply {
  readonly headers: Headers;
  /** Starts writing; the returned function ends it and is idempotent. */
  readonly open: (sink: Sink) => () => void;
}

export const JSON_TYPE = 'application/json; charset=utf-8';

/** Sends a response without an end: fastify hands the connection over. */
export function sendStream(reply: FastifyReply, stream: StreamReply): FastifyReply {
  reply.hijack();
  for (const [name, value] of Object.entries(reply.getHeaders()))
    if (value !== undefined) reply.raw.setHeader(name, value);
  reply.raw.writeHead(200, stream.headers);
  const stop = stream.open(new ResponseSink(reply.raw));
  reply.raw.once('close', stop);
  return reply;
}
