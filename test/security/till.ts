import { connect as connectTls } from 'node:tls';
import type { RunningVirtualTerminal } from '../../src/sandbox/terminal/start-virtual-terminal.ts';
import type { Certificate } from './certificate.ts';
import { DEVICE_ID } from './device.ts';
import { hear, speak, type Where } from './wire.ts';

/** What the till needs of the field. */
interface Counter {
  readonly terminal: Pick<RunningVirtualTerminal, 'snapshot'>;
  readonly keys: { readonly till: string };
  readonly certificate: Certificate | null;
  readonly tcp: { readonly host: string; readonly port: number };
  readonly socket: Where;
  readonly authority: string;
}

/** How one sale of the honest till went; `ok` when the terminal has charged it once, and nothing else. */
export interface SaleCheck {
  readonly ok: boolean;
  readonly words: string;
}

/** In a flood the system's own queue of new connections may be long; how long is not what is judged. */
const LIMIT_MS = 60_000;
const FIRST_AMOUNT = 10_000;

/** The honest till. The judge of its sales is the virtual terminal's ledger. */
export class Till {
  readonly #field: Counter;
  #sold = 0;
  /** Lines that the terminal's ledger may have. */
  #lines = 0;

  constructor(field: Counter) {
    this.#field = field;
  }

  /** Sells over TCP with a key, as a till does; looks at the outcome over the unix socket. */
  sell(): Promise<SaleCheck> {
    return this.#sell((message) => this.#overTcp(message), `x-api-key: ${this.#field.keys.till}\r\n`);
  }

  /** Only looks whether somebody else was charged. */
  look(): Promise<SaleCheck> {
    const others = this.#strangers();
    return Promise.resolve({ ok: others === 0, words: others === 0 ? 'yes' : `${others} sales of nobody` });
  }

  /** Sells over the unix socket alone. */
  sellOverSocket(): Promise<SaleCheck> {
    return this.#sell((message) => this.#overSocket(message), '');
  }

  async #sell(send: (message: string) => Promise<string>, credential: string): Promise<SaleCheck> {
    const strangers = this.#strangers();
    const amount = FIRST_AMOUNT + this.#sold;
    this.#sold += 1;
    const created = await send(this.#request('POST', '/v2/terminal-payments', credential, amount));
    const id = /"id":"([0-9a-f-]{36})"/.exec(created)?.[1];
    if (id === undefined) return { ok: false, words: `not sold: ${created.slice(0, 300) || 'no answer'}` };
    const end = await this.#outcome(id);
    this.#lines += 1;
    const { ledger } = this.#field.terminal.snapshot();
    const charged = ledger.filter(
      (line) => line.amountMinor === amount && line.result === 'approved' && !line.reversed,
    ).length;
    const others = strangers + this.#strangers();
    const ok = end === 'succeeded' && charged === 1 && others === 0;
    return { ok, words: ok ? 'yes' : `${end}, charged ${charged} times, ${others} sales of nobody` };
  }

  /** Lines of the ledger that are not ours; printed once. */
  #strangers(): number {
    const found = this.#field.terminal.snapshot().ledger.length - this.#lines;
    this.#lines += found;
    return found;
  }

  async #outcome(id: string): Promise<string> {
    const until = performance.now() + LIMIT_MS;
    for (;;) {
      const text = await this.#overSocket(this.#request('GET', `/v2/terminal-payments/${id}`, ''));
      const status = /"status":"(\w+)"/.exec(text)?.[1] ?? 'no answer';
      if (!['requested', 'in_progress', 'no answer'].includes(status)) return status;
      if (performance.now() > until) return status;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  #request(method: string, path: string, credential: string, amount?: number): string {
    const body =
      amount === undefined
        ? ''
        : JSON.stringify({ device_id: DEVICE_ID, amount_minor: amount, currency: 'EUR' });
    const type = body === '' ? '' : `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`;
    const host = this.#field.authority;
    return `${method} ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n${credential}${type}\r\n${body}`;
  }

  async #overTcp(message: string): Promise<string> {
    const { certificate, tcp } = this.#field;
    if (!certificate) return answered(tcp, message);
    const socket = connectTls({ ...tcp, ca: certificate.pem, servername: 'till.shop' });
    socket.on('error', () => undefined);
    socket.write(message);
    try {
      return (await hear(socket, { limitMs: LIMIT_MS })).text;
    } finally {
      socket.destroy();
    }
  }

  #overSocket(message: string): Promise<string> {
    return answered(this.#field.socket, message);
  }
}

async function answered(where: Where, message: string): Promise<string> {
  return (await speak(where, message, { limitMs: LIMIT_MS })).text;
}
