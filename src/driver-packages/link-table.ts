import { AppError } from '../base/errors.ts';
import type { Link, OpenLink } from '../terminal/link.ts';
import type { PackageProcess } from './child-process.ts';
import type { FromChild, SentLink } from './messages.ts';
import { sentError } from './sent-error.ts';

/** Bytes of a terminal in one message. */
const CHUNK = 49_152;
/** Requests of a package that wait for a link. */
const MAX_REQUESTS = 64;

type LinkRequest = Extract<FromChild, { type: 'write' | 'close' | 'undial' }>;

/**
 * The links that a package uses: they stay in the daemon, the package has their numbers. Bytes are read no faster than its process takes them.
 */
export class LinkTable {
  readonly #process: PackageProcess;
  readonly #links = new Map<number, Link>();
  readonly #dialling = new Map<number, AbortController>();
  #last = 0;
  #requests = 0;
  #over = false;

  constructor(process: PackageProcess) {
    this.#process = process;
  }

  /** Gives the package the use of a link; its bytes follow. */
  attach(link: Link): SentLink {
    this.#last += 1;
    const id = this.#last;
    this.#links.set(id, link);
    void this.#pass(id, link);
    return { id, kind: link.kind };
  }

  /** Opens a further connection for a session. */
  dial(request: number, dial: OpenLink): void {
    if (this.#dialling.has(request)) throw new Error('it uses the number of a request twice');
    const giveUp = new AbortController();
    this.#dialling.set(request, giveUp);
    this.#answer(request, async () => {
      try {
        const link = await dial(giveUp.signal);
        if (!this.#over) return this.attach(link);
        await link.abandon();
        throw new AppError('DRIVER_FAULT', 'the driver package has ended');
      } finally {
        this.#dialling.delete(request);
      }
    });
  }

  /** @throws what breaks the protocol */
  take(message: LinkRequest): void {
    if (message.type === 'undial') return void this.#dialling.get(message.request)?.abort(notWanted());
    const link = this.#links.get(message.link);
    if (!link && message.link > this.#last) throw new Error('it speaks of a link that it never had');
    this.#answer(message.request, async () => {
      if (message.type === 'close') await (message.how === 'close' ? link?.close() : link?.abandon());
      else if (link) await link.write(Buffer.from(message.bytes, 'base64'));
      else throw hadEnded();
      return undefined;
    });
  }

  /** The process has ended: what it had not sent never leaves. */
  abandonAll(): void {
    this.#over = true;
    for (const giveUp of this.#dialling.values()) giveUp.abort(notWanted());
    for (const link of this.#links.values()) void link.abandon().catch(() => undefined);
  }

  #answer(request: number, work: () => Promise<SentLink | undefined>): void {
    this.#requests += 1;
    if (this.#requests > MAX_REQUESTS) throw new Error('it has too many requests at once');
    work()
      .then(
        (link) => this.#process.send({ type: 'answer', request, ...(link ? { link } : {}) }),
        (error) => this.#process.send({ type: 'answer', request, error: sentError(error) }),
      )
      .finally(() => {
        this.#requests -= 1;
      });
  }

  async #pass(id: number, link: Link): Promise<void> {
    try {
      for await (const chunk of link.bytes) {
        for (let at = 0; at < chunk.length; at += CHUNK) {
          const bytes = Buffer.from(chunk.subarray(at, at + CHUNK)).toString('base64');
          this.#process.send({ type: 'bytes', link: id, bytes });
        }
        if (!this.#process.isTaking) await this.#process.drained();
      }
    } finally {
      const loss = await link.closed;
      this.#links.delete(id);
      this.#process.send({ type: 'ended', link: id, loss });
    }
  }
}

function hadEnded(): AppError {
  return new AppError('LINK_CLOSED', 'the connection had ended before this was sent', {
    retry: 'safe',
    moneyMoved: 'no',
  });
}

function notWanted(): AppError {
  return new AppError('TERMINAL_STOPPED', 'the driver needs no further connection', { retry: 'safe' });
}
