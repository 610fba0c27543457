import {
  type AskedReference,
  type DriverContext,
  garbled,
  JsonLine,
  type JsonObject,
  type Link,
  type MoneyCommand,
  type Sending,
  type TimeLimit,
} from '../../../src/driver-kit/terminal.ts';
import { meaningOf } from './decode.ts';
import { answer, type Category, type Response, requestOf } from './messages.ts';
import { Security } from './security.ts';
import type { Settings } from './settings.ts';

/** The longest response: receipts of both kinds are a few KiB. */
const LONGEST_BODY = 256 * 1024;
/** ServiceIDs of questions are digits, those of payments begin with a letter. */
const SERVICE_IDS = 10_000_000_000;

const ABORT = { name: 'abort', ms: 5000 };

/** A request of ours, as another one refers to it. */
export interface MessageReference {
  readonly MessageCategory: 'Payment' | 'Reversal';
  readonly SaleID: string;
  readonly ServiceID: string;
}

/** Requests and responses of one session, each on a connection of its own. */
export class Conversation {
  readonly #line: JsonLine<{ readonly SaleToPOIResponse: Response }>;
  readonly #context: DriverContext;
  readonly #saleId: string;
  #poiId: string;
  #isAddressed = false;
  #lastId = 0;

  constructor(link: Link, context: DriverContext, settings: Settings) {
    this.#context = context;
    this.#poiId = settings.poi_id;
    this.#saleId = settings.sale_id ?? context.deviceId.replaceAll('-', '').slice(-12);
    this.#line = new JsonLine(link, context, {
      path: settings.path,
      longestBody: LONGEST_BODY,
      meaning: meaningOf,
      response: answer,
      security: settings.security && new Security(settings.security),
    });
  }

  get heard(): Uint8Array {
    return this.#line.heard;
  }

  /** From now on the requests are for this terminal: the one that answers at the address. */
  address(poiId: string): void {
    this.#poiId = poiId;
    this.#isAddressed = true;
  }

  /** How a request about money is named in another one. */
  referenceOf(kind: MoneyCommand['kind'], { ticket }: Pick<AskedReference, 'ticket'>): MessageReference {
    const MessageCategory = kind === 'void' ? 'Reversal' : 'Payment';
    return { MessageCategory, SaleID: this.#saleId, ServiceID: ticket };
  }

  /**
   * The response to a request; the ServiceID of one about money is our ticket.
   * @throws TERMINAL_GARBLED where it is none; what the line throws
   */
  async ask(
    category: Category,
    content: JsonObject,
    timeLimit: TimeLimit,
    signal: AbortSignal,
    sending?: Sending,
    serviceId = this.#nextId(),
  ): Promise<Response> {
    const request = this.#request(category, serviceId, content);
    const { SaleToPOIResponse: response } = await this.#line.send(request, timeLimit, signal, sending);
    const { MessageHeader: header } = response;
    const isOurs = header.ServiceID === serviceId && header.SaleID === this.#saleId;
    if (!isOurs || header.MessageCategory !== category || header.MessageType !== 'Response')
      throw garbled('it is the response to another request');
    if (this.#isAddressed && header.POIID !== this.#poiId)
      throw garbled('another terminal answers than the one of this conversation');
    return response;
  }

  /** Sends an Abort beside the request that it refers to. It has no response of its own: that request's says what became of it. */
  stop(reference: MessageReference, signal: AbortSignal): Promise<void> {
    const content = { AbortReason: 'MerchantAbort', MessageReference: reference };
    return this.#line.sendBeside(this.#request('Abort', this.#nextId(), content), ABORT, signal);
  }

  close(): Promise<void> {
    return this.#line.close();
  }

  #request(category: Category, serviceId: string, content: JsonObject): object {
    return requestOf(category, { saleId: this.#saleId, poiId: this.#poiId, serviceId }, content);
  }

  /** Not used for more than three months: the clock's milliseconds, and never one twice in this session. */
  #nextId(): string {
    this.#lastId = Math.max(this.#lastId + 1, this.#context.clock.now() % SERVICE_IDS);
    return String(this.#lastId % SERVICE_IDS).padStart(10, '0');
  }
}
