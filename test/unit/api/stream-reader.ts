import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { KEYS } from './shop.ts';

export interface Message {
  readonly id?: string;
  readonly event?: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into payloads of many shapes
  readonly data?: any;
  readonly comment?: string;
}

/** Reads an event stream with a parser written from the standard, so that ours is not asked about itself. */
export class StreamReader {
  readonly messages: Message[] = [];
  readonly status: number;
  readonly ended: Promise<void>;
  readonly #request: ClientRequest;
  #text = '';
  #waiting: (() => void)[] = [];

  private constructor(request: ClientRequest, response: IncomingMessage) {
    this.#request = request;
    this.status = response.statusCode ?? 0;
    response.setEncoding('utf8');
    response.on('data', (text: string) => this.#take(text));
    this.ended = new Promise((resolve) => {
      response.once('close', resolve);
      response.once('error', () => resolve());
    });
  }

  static open(url: string, path: string, headers: Record<string, string> = {}): Promise<StreamReader> {
    const { hostname, port } = new URL(url);
    return new Promise((resolve, reject) => {
      const request = httpRequest({
        host: hostname,
        port,
        path,
        agent: false,
        headers: { 'x-api-key': KEYS.full, ...headers },
      });
      request.once('error', reject);
      request.once('response', (response) => resolve(new StreamReader(request, response)));
      request.end();
    });
  }

  /** Waits until `enough` says so of the messages with an event name. */
  async until(enough: (messages: readonly Message[]) => boolean): Promise<readonly Message[]> {
    while (!enough(this.messages)) {
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve);
      });
    }
    return this.messages;
  }

  close(): void {
    this.#request.destroy();
  }

  #take(text: string): void {
    this.#text += text;
    const blocks = this.#text.split('\n\n');
    this.#text = blocks.pop() ?? '';
    for (const block of blocks) this.messages.push(parse(block));
    for (const wake of this.#waiting.splice(0)) wake();
  }
}

function parse(block: string): Message {
  const fields: Record<string, string> = {};
  for (const line of block.split('\n')) {
    const colon = line.indexOf(':');
    const name = colon === 0 ? 'comment' : line.slice(0, colon);
    fields[name] = line.slice(colon + 1).replace(/^ /, '');
  }
  const { data, ...rest } = fields;
  return { ...rest, ...(data === undefined ? {} : { data: JSON.parse(data) }) };
}
