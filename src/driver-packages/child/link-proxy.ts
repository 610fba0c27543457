import { AppError } from '../../base/errors.ts';
import type { Link, LinkLoss } from '../../terminal/link.ts';
import type { Sent, SentLink, ToChild } from '../messages.ts';
import { errorOfCore } from '../sent-error.ts';
import { send } from './channel.ts';

type Request = Omit<Extract<Sent, { type: 'write' | 'close' | 'dial' }>, 'request'>;
type Answer = Extract<ToChild, { type: 'answer' }>;

/** A message takes no more bytes of a link. */
const MOST_BYTES = 65_536;

/** The requests of this process that tilld has not answered, and the links that it has the use of. */
export class Links {
  readonly #requests = new Map<number, { resolve(answer: Answer): void; reject(error: unknown): void }>();
  readonly #links = new Map<number, LinkProxy>();
  #last = 0;

  /** A link that tilld opened for this process. */
  use({ id, kind }: SentLink): Link {
    const link = new LinkProxy(id, kind, (request) => this.#ask(request));
    this.#links.set(id, link);
    return link;
  }

  /** Opens a further connection for a session; `beside`: the present one stays. */
  async dial(session: number, beside: boolean, signal: AbortSignal): Promise<Link> {
    signal.throwIfAborted();
    const undial = (request: number) => send({ type: 'undial', request });
    const { link } = await this.#ask({ type: 'dial', session, beside } as Request, signal, undial);
    if (!link) throw new AppError('LINK_REFUSED', 'no connection was opened', { retry: 'safe' });
    return this.use(link);
  }

  take(message: Extract<ToChild, { type: 'bytes' | 'ended' | 'answer' }>): void {
    switch (message.type) {
      case 'bytes':
        return void this.#links.get(message.link)?.push(Buffer.from(message.bytes, 'base64'));
      case 'ended':
        this.#links.get(message.link)?.end(message.loss);
        this.#links.delete(message.link);
        return;
      case 'answer': {
        const asked = this.#requests.get(message.request);
        this.#requests.delete(message.request);
        if (message.error) asked?.reject(errorOfCore(message.error));
        else asked?.resolve(message);
      }
    }
  }

  async #ask(
    request: Request,
    signal?: AbortSignal,
    giveUp: (request: number) => void = () => undefined,
  ): Promise<Answer> {
    this.#last += 1;
    const id = this.#last;
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    this.#requests.set(id, { resolve, reject });
    send({ ...request, request: id } as Sent);
    const onAbort = () => {
      giveUp(id);
      reject(signal?.reason);
    };
    signal?.addEventListener('abort', onAbort, { once: true });
    try {
      return await promise;
    } finally {
      signal?.removeEventListener('abort', onAbort);
    }
  }
}

/** A link of the daemon: what is asked of it passes the channel. */
class LinkProxy implements Link {
  readonly kind: Link['kind'];
  readonly closed: Promise<LinkLoss>;
  readonly bytes: AsyncIterable<Uint8Array>;
  readonly #id: number;
  readonly #ask: (request: Request) => Promise<unknown>;
  readonly #chunks: Uint8Array[] = [];
  readonly #settle: (loss: LinkLoss) => void;
  #hasEnded = false;
  #wake: () => void = () => undefined;

  constructor(id: number, kind: Link['kind'], ask: (request: Request) => Promise<unknown>) {
    const { promise, resolve } = Promise.withResolvers<LinkLoss>();
    this.kind = kind;
    this.closed = promise;
    this.bytes = { [Symbol.asyncIterator]: () => this.#read() };
    this.#id = id;
    this.#ask = ask;
    this.#settle = resolve;
  }

  push(chunk: Uint8Array): void {
    this.#chunks.push(chunk);
    this.#wake();
  }

  end(loss: LinkLoss): void {
    this.#hasEnded = true;
    this.#settle(loss);
    this.#wake();
  }

  async write(bytes: Uint8Array): Promise<void> {
    if (bytes.length > MOST_BYTES)
      throw new AppError('DRIVER_FAULT', `a write of ${bytes.length} bytes is longer than ${MOST_BYTES}`);
    await this.#ask({
      type: 'write',
      link: this.#id,
      bytes: Buffer.from(bytes).toString('base64'),
    } as Request);
  }

  close(): Promise<void> {
    return this.#finish('close');
  }

  abandon(): Promise<void> {
    return this.#finish('abandon');
  }

  async #finish(how: 'close' | 'abandon'): Promise<void> {
    if (!this.#hasEnded) await this.#ask({ type: 'close', link: this.#id, how } as Request);
  }

  async *#read(): AsyncGenerator<Uint8Array> {
    for (;;) {
      const chunk = this.#chunks.shift();
      if (chunk) yield chunk;
      else if (this.#hasEnded) return;
      else
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
    }
  }
}
