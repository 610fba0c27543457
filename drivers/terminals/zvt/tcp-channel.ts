import {
  type Clock,
  Exchange,
  type Link,
  reasonOf,
  type TimeLimit,
} from '../../../src/driver-kit/terminal.ts';
import { type ApduChannel, appendHeard } from './channel.ts';
import { TcpReader } from './tcp-framing.ts';

/** APDUs over TCP without framing, one after the other; only TCP itself repeats lost bytes. */
export class TcpChannel implements ApduChannel {
  readonly deliversOnce = true;
  readonly #link: Link;
  readonly #exchange: Exchange<Uint8Array>;
  #heard: Uint8Array = new Uint8Array();
  #muted = false;

  constructor(link: Link, clock: Clock) {
    this.#link = link;
    const reader = new TcpReader();
    this.#exchange = new Exchange(link, clock, {
      get broken() {
        return reader.broken;
      },
      push: (bytes) => {
        if (this.#muted) return [];
        this.#heard = appendHeard(this.#heard, bytes);
        return reader.push(bytes);
      },
    });
  }

  get heard(): Uint8Array {
    return this.#heard;
  }

  start(): void {
    this.#exchange.start();
  }

  async send(apdu: Uint8Array, signal: AbortSignal): Promise<void> {
    if (signal.aborted) throw reasonOf(signal);
    if (!this.#muted) await this.#link.write(apdu);
  }

  async sendMoney(apdu: Uint8Array, handed: () => void, signal: AbortSignal): Promise<void> {
    if (signal.aborted) throw reasonOf(signal);
    this.drain();
    handed();
    await this.#link.write(apdu);
  }

  receive(timeLimit: TimeLimit, signal: AbortSignal): Promise<Uint8Array> {
    return this.#exchange.next(timeLimit, signal);
  }

  drain(): void {
    this.#exchange.drain();
  }

  mute(): void {
    this.#muted = true;
  }
}
