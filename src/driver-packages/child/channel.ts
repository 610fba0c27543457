import { readSync, writeSync } from 'node:fs';
import { Socket } from 'node:net';
import { setImmediate as soon } from 'node:timers';
import { FrameReader, frameOf } from '../frames.ts';
import type { CallbackAnswer, Sent, ToChild } from '../messages.ts';

/** Messages of tilld; read while the event loop turns. */
const INCOMING = 3;
/** Messages to tilld, written at once; and the answers to callbacks, which are waited for. */
const OUTGOING = 4;
const CHUNK = 65_536;

/** What was posted and has not been written. */
let posted: Buffer[] = [];
/** The same in bytes. */
let postedBytes = 0;

/** Writes a message, and all that was posted before it; returns when the system has taken it. */
export function send(message: Sent): void {
  post(message);
  flush();
}

/** Writes a message that tilld does not wait for: with the next one that it does, or at the end of this turn. One wake-up costs more than the message. */
export function post(message: Sent): void {
  const frame = frameOf(message);
  if (posted.length === 0) soon(flush);
  posted.push(frame);
  postedBytes += frame.length;
  if (postedBytes > CHUNK) flush();
}

function flush(): void {
  if (posted.length === 0) return;
  const bytes = posted.length === 1 ? (posted[0] as Buffer) : Buffer.concat(posted, postedBytes);
  posted = [];
  postedBytes = 0;
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
