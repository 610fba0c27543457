import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import type { Field } from './field.ts';
import { dial } from './wire.ts';

/** Connections that are opened at a time, so that the daemon's queue of new ones is not what is measured. */
const WAVE = 200;
/** Descriptors that this process keeps for itself. */
const OWN_DESCRIPTORS = 1_000;
const MOST = 18_000;

/** Many connections to one daemon, from many addresses of this machine. */
export class Crowd {
  readonly #field: Field;
  readonly #before: number;
  readonly #sockets: Socket[] = [];

  private constructor(field: Field) {
    this.#field = field;
    this.#before = field.openSockets();
  }

  /** Opens `count` connections that each say `words` and then nothing. */
  static async gather(field: Field, count: number, words: string | Uint8Array = ''): Promise<Crowd> {
    const crowd = new Crowd(field);
    for (let done = 0; done < count; done += WAVE) {
      const wave = Math.min(WAVE, count - done);
      await Promise.all(Array.from({ length: wave }, (_, index) => crowd.#join(done + index, words)));
    }
    await new Promise((resolve) => setTimeout(resolve, 200));
    return crowd;
  }

  /** How many of them the daemon holds, once it has closed what is beyond `cap`, or after 5 s. */
  async kept(cap: number): Promise<number> {
    const until = performance.now() + 5_000;
    for (;;) {
      const openNow = this.#field.openSockets() - this.#before;
      if (openNow <= cap || performance.now() > until) return openNow;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  /** Goes away. */
  async leave(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => setTimeout(resolve, 100));
  }

  #join(index: number, words: string | Uint8Array): Promise<void> {
    const socket = dial({ ...this.#field.tcp, localAddress: `127.0.1.${1 + (index % 200)}` });
    this.#sockets.push(socket);
    socket.on('data', () => undefined);
    socket.once('end', () => socket.destroy());
    return new Promise((resolve) => {
      socket.once('close', () => resolve());
      socket.once('connect', () => {
        if (words.length > 0) socket.write(words);
        resolve();
      });
    });
  }
}

/** As many connections as this process may open; node raises the soft limit to the hard one by itself. */
export function mostConnections(): number {
  const limits = readFileSync('/proc/self/limits', 'utf8');
  const hard = /^Max open files\s+\S+\s+(\S+)/m.exec(limits)?.[1];
  return Math.max(300, Math.min(MOST, (Number(hard) || MOST) - OWN_DESCRIPTORS));
}
