import type { ServerResponse } from 'node:http';
import type { Sink } from '../stream/sink.ts';

/** A sink over one HTTP response; it counts the bytes that the operating system has not accepted yet. */
export class ResponseSink implements Sink {
  readonly #response: ServerResponse;
  readonly #drained: (() => void)[] = [];
  #buffered = 0;

  constructor(response: ServerResponse) {
    this.#response = response;
  }

  get buffered(): number {
    return this.#buffered;
  }

  write(text: string): void {
    if (this.#response.writableEnded || this.#response.destroyed) return;
    const size = Buffer.byteLength(text);
    this.#buffered += size;
    this.#response.write(text, () => this.#taken(size));
  }

  onDrain(listener: () => void): void {
    this.#drained.push(listener);
  }

  onClose(listener: () => void): void {
    this.#response.once('close', listener);
    this.#response.on('error', () => this.cut());
  }

  end(): void {
    if (!this.#response.writableEnded) this.#response.end();
  }

  cut(): void {
    this.#response.destroy();
  }

  #taken(size: number): void {
    this.#buffered -= size;
    if (this.#buffered > 0 || this.#response.destroyed) return;
    for (const listener of this.#drained) listener();
  }
}
