import { readSync, writeSync } from 'node:fs';
import { Socket } from 'node:net';
import { FrameReader, frameOf } from '../frames.ts';
import type { CallbackAnswer, Sent, ToChild } from '../messages.ts';

/** Messages of tilld; read while the event loop turns. */
const INCOMING = 3;
/** Messages to tilld, written at once; and the answers to callbacks, which are waited for. */
const OUTGOING = 4;
const CHUNK = 65_536;

/** Writes a message; returns when the system has taken it. */
export function send(message: Sent): void {
  writeAll(frameOf(message));
}

function writeAll(bytes: Buffer): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(OUTGOING, bytes, at, bytes.length - at);
}

/**
 * Writes a callback of a payment and waits, with the whole process, until tilld has committed.
 * Why: a driver acknowledges to the terminal behind it, and no acknowledgement may leave before the commit.
 */
export function ask(message: Sent): boolean {
  send(message);
  const reader = new FrameReader();
  const chunk = Buffer.alloc(CHUNK);
  for (;;) {
    const count = readSync(OUTGOING, chunk, 0, CHUNK, null);
    if (count === 0) throw new Error('tilld has gone');
    for (const { message: answer } of reader.push(Buffer.from(chunk.subarray(0, count))))
      return (answer as CallbackAnswer).stored;
  }
}

/** Passes on every message of tilld; `onEnd` when it has gone. */
export function listen(onMessage: (message: ToChild) => void, onEnd: () => void): void {
  const reader = new FrameReader();
  const incoming = new Socket({ fd: INCOMING, readable: true, writable: false });
  incoming.on('data', (chunk: Buffer) => {
    for (const { message } of reader.push(chunk)) onMessage(message as ToChild);
  });
  incoming.on('close', onEnd).on('error', onEnd);
}
