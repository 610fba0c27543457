import { createReadStream } from 'node:fs';
import { resolve } from 'node:path';
import { AppError, messageOf } from '../base/errors.ts';
import type { Io } from './io.ts';

/**
 * The text of a file, or of standard input where its name is `-`.
 * @throws USAGE when it cannot be read, is larger than `mostBytes`, or is not UTF-8.
 */
export async function textOf(name: string, io: Io, mostBytes: number): Promise<string> {
  const what = name === '-' ? 'standard input' : name;
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of name === '-' ? io.input : bytesOf(resolve(io.cwd, name))) {
      size += chunk.byteLength;
      if (size > mostBytes) throw new AppError('USAGE', `${what} is larger than ${mostBytes} bytes`);
      chunks.push(chunk);
    }
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError('USAGE', `${what} cannot be read: ${messageOf(error)}`, { cause: error });
  }
}

async function* bytesOf(path: string): AsyncGenerator<Uint8Array> {
  for await (const chunk of createReadStream(path)) if (Buffer.isBuffer(chunk)) yield chunk;
}
