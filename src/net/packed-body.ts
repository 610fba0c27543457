import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type { BodyReader } from './exchange.ts';
import { bodyTooLarge, bodyUnreadable, netError } from './net-error.ts';

/**
 * Reads a body that may be packed with gzip. The limit counts the bytes after unpacking: a few kilobytes can become gigabytes.
 * The promise rejects NET_BODY_TOO_LARGE as soon as there are more than `maxBytes`, NET_BODY_UNREADABLE for a damaged or unknown encoding,
 * NET_UNREACHABLE when the body was cut short.
 */
export function unpackingReader(maxBytes: number): BodyReader {
  return async (response) => {
    const encoding = oneOf(response.headers['content-encoding']);
    const pieces = boundedCollector(maxBytes);
    if (encoding === '' || encoding === 'identity') {
      for await (const piece of response.body) pieces.add(piece);
    } else if (encoding === 'gzip' || encoding === 'x-gzip') {
      await unpack(response.body, pieces.add);
    } else {
      response.body.on('error', () => undefined).destroy();
      throw bodyUnreadable(`the answer is packed as "${encoding.slice(0, 40)}", which was not asked for`);
    }
    return textOf(pieces.whole(), oneOf(response.headers['content-type']));
  };
}

async function unpack(body: NodeJS.ReadableStream, add: (piece: Uint8Array) => void): Promise<void> {
  try {
    await pipeline(body, createGunzip(), async (unpacked: AsyncIterable<Uint8Array>) => {
      for await (const piece of unpacked) add(piece);
    });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : '';
    if (code === 'Z_BUF_ERROR') throw netError(new Error('the packed answer was cut short'));
    if (typeof code === 'string' && code.startsWith('Z_'))
      throw bodyUnreadable('the packed answer is damaged');
    throw error;
  }
}

function boundedCollector(maxBytes: number) {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  return {
    add: (piece: Uint8Array): void => {
      bytes += piece.length;
      if (bytes > maxBytes) throw bodyTooLarge(maxBytes);
      pieces.push(piece);
    },
    whole: (): Uint8Array => Buffer.concat(pieces, bytes),
  };
}

function oneOf(header: string | readonly string[] | undefined): string {
  return (typeof header === 'string' ? header : (header ?? []).join(',')).trim().toLowerCase();
}

/** UTF-8 unless the answer names another known encoding; an invalid byte becomes U+FFFD, so that one name does not stop a sync. */
function textOf(bytes: Uint8Array, contentType: string): string {
  const label = /;\s*charset\s*=\s*"?([^;"\s]+)/.exec(contentType)?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(label).decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}
