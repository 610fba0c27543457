import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { AppError } from '../../base/errors.ts';
import { bodyTooLarge, MAX_BODY_BYTES } from '../door/read-json.ts';

/** How many bytes of a too large body are read and discarded, so that its sender receives the response. */
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
    // Creating an error takes longer than reading most bodies: skipped after the end.
    stream.once('close', () => {
      if (!stream.readableEnded) reject(brokenOff());
    });
  });
}

/**
 * Rejects a body whose declared length alone is too large to be read to its end.
 * @throws BODY_TOO_LARGE
 */
export function requireReadableLength({ headers }: IncomingMessage): void {
  if (Number(headers['content-length'] ?? 0) > MAX_DISCARDED_BYTES) throw bodyTooLarge();
}

/** Whether, after an error response, more of the body may follow than is worth reading to keep the connection. */
export function hasLongBody({ headers }: IncomingMessage): boolean {
  return (
    headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > MAX_BODY_BYTES
  );
}

function brokenOff(cause?: unknown): AppError {
  return new AppError('REQUEST_MALFORMED', 'The body broke off', { cause });
}
