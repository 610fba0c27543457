import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { AppError } from '../../base/errors.ts';
import { bodyTooLarge, MAX_BODY_BYTES } from '../door/read-json.ts';

/** What is read and thrown away of a body that is too large, so that its sender gets to see the answer. */
const MAX_DISCARDED_BYTES = 4 * 1024 * 1024;

/**
 * Reads a body to its end, keeping at most the limit.
 * @throws BODY_TOO_LARGE after the end, or after 4 MiB.
 * @throws REQUEST_MALFORMED when it breaks off.
 */
export function readBody(stream: Readable, maxBytes = MAX_BODY_BYTES): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    stream.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= maxBytes) chunks.push(chunk);
      else chunks.length = 0;
      if (size > MAX_DISCARDED_BYTES) {
        stream.pause();
        reject(bodyTooLarge(maxBytes));
      }
    });
    stream.once('end', () =>
      size > maxBytes ? reject(bodyTooLarge(maxBytes)) : resolve(Buffer.concat(chunks)),
    );
    stream.once('error', (cause) => reject(brokenOff(cause)));
    // Making an error takes longer than reading most bodies: not where the end has come.
    stream.once('close', () => {
      if (!stream.readableEnded) reject(brokenOff());
    });
  });
}

/**
 * Refuses a body whose length alone says that it will not be read to its end.
 * @throws BODY_TOO_LARGE
 */
export function requireReadableLength({ headers }: IncomingMessage): void {
  if (Number(headers['content-length'] ?? 0) > MAX_DISCARDED_BYTES) throw bodyTooLarge();
}

/** Whether more may come of a body than is worth reading for the sake of the connection, after a refusal. */
export function hasLongBody({ headers }: IncomingMessage): boolean {
  return (
    headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > MAX_BODY_BYTES
  );
}

function brokenOff(cause?: unknown): AppError {
  return new AppError('REQUEST_MALFORMED', 'The body broke off', { cause });
}
