import {
  AppError,
  type Currency,
  type DriverContext,
  frameRecorder,
  type HttpRequest,
  hasCode,
  type JsonObject,
  jsonObject,
  type Link,
  maskedJson,
  RequestLine,
  type Sending,
  type TimeLimit,
} from '../../../src/driver-kit/terminal.ts';
import { meaningOf } from './decode.ts';
import { type Category, type Pair, type Response, readResponse, requestText } from './messages.ts';
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
  readonly currency: Currency;
  readonly #line: RequestLine;
  readonly #settings: Settings;
  readonly #context: DriverContext;
  readonly #saleId: string;
  readonly #security: Security | undefined;
  #poiId: string;
  #isAddressed = false;
  #lastId = 0;

  constructor(link: Link, context: DriverContext, settings: Settings) {
    this.currency = context.currency;
    this.#context = context;
    this.#settings = settings;
    this.#security = settings.security && new Security(settings.security);
    this.#poiId = settings.poi_id;
    this.#saleId = settings.sale_id ?? context.deviceId.replaceAll('-', '').slice(-12);
    this.#line = new RequestLine(link, {
      clock: context.clock,
      dial: context.dial,
      openBeside: context.openBeside,
      address: context.address,
      longestBody: LONGEST_BODY,
    });
  }

  get heard(): Uint8Array {
    return this.#line.heard;
  }

  get saleId(): string {
    return this.#saleId;
  }

  /** From now on the requests are for this terminal: the one that answers at the address. */
  address(poiId: string): void {
    this.#poiId = poiId;
    this.#isAddressed = true;
  }

  /**
   * The response to a question that moves no money.
   * @throws TERMINAL_GARBLED where it is none; what the line throws
   */
  ask(
    category: Category,
    content: JsonObject,
    timeLimit: TimeLimit,
    signal: AbortSignal,
    sending?: Sending,
  ): Promise<Response> {
    return this.send(category, this.#nextId(), content, timeLimit, signal, sending);
  }

  /** The response to the request with this ServiceID. @throws as {@link ask} */
  async send(
    category: Category,
    serviceId: string,
    content: JsonObject,
    timeLimit: TimeLimit,
    signal: AbortSignal,
    sending?: Sending,
  ): Promise<Response> {
    const request = this.#request(category, serviceId, content);
    const answer = await this.#line.send(request, timeLimit, signal, sending);
    const opened = this.#opened(answer.body);
    this.#note('received', opened ?? answer.body);
    if (answer.status !== 200) throw garbled(`it answered with the HTTP status ${answer.status}`);
    if (!opened) throw garbled('it is not encrypted with the key of this device');
    const response = readResponse(opened);
    if (!response) throw garbled('it is no response of the protocol');
    const { MessageHeader: header } = response;
    const isOurs = header.ServiceID === serviceId && header.SaleID === this.#saleId;
    if (!isOurs || header.MessageCategory !== category || header.MessageType !== 'Response')
      throw garbled('it is the response to another request');
    if (this.#isAddressed && header.POIID !== this.#poiId)
      throw garbled('another terminal answers than the one of this conversation');
    return response;
  }

  /** Sends an Abort beside the request that it refers to. It has no response of its own: that request's says what became of it. */
  async stop(reference: MessageReference, signal: AbortSignal): Promise<void> {
    const content = { AbortReason: 'MerchantAbort', MessageReference: reference };
    const request = this.#request('Abort', this.#nextId(), content);
    const { status } = await this.#line.sendBeside(request, ABORT, signal);
    if (status < 200 || status > 299) throw garbled(`it answered the Abort with the HTTP status ${status}`);
  }

  close(): Promise<void> {
    return this.#line.close();
  }

  #request(category: Category, serviceId: string, content: JsonObject): HttpRequest {
    const pair: Pair = { saleId: this.#saleId, poiId: this.#poiId, serviceId };
    const message = new TextEncoder().encode(requestText(category, pair, content));
    this.#note('sent', message);
    const body = this.#security?.seal(message) ?? message;
    return { method: 'POST', path: this.#settings.path, type: 'application/json', body };
  }

  /** The message of a body; undefined where it must be encrypted and is not, or with another key. */
  #opened(body: Uint8Array): Uint8Array | undefined {
    if (!this.#security) return body;
    try {
      return this.#security.open(body);
    } catch (error) {
      if (!hasCode(error, 'DECODE_MALFORMED')) throw error;
      return undefined;
    }
  }

  /** Not used for more than three months: the clock's milliseconds, and never one twice in this session. */
  #nextId(): string {
    this.#lastId = Math.max(this.#lastId + 1, this.#context.clock.now() % SERVICE_IDS);
    return String(this.#lastId % SERVICE_IDS).padStart(10, '0');
  }

  #note(direction: 'sent' | 'received', body: Uint8Array): void {
    const record = frameRecorder(this.#context.transcript);
    try {
      const { name, fields } = meaningOf(jsonObject(body));
      record(direction, name, maskedJson(fields) as JsonObject);
    } catch (error) {
      if (!hasCode(error, 'DECODE_MALFORMED')) throw error;
      record(direction, 'unreadable', { bytes: body.length });
    }
  }
}

function garbled(why: string): AppError {
  return new AppError('TERMINAL_GARBLED', `the terminal's answer cannot be read: ${why}`, {
    retry: 'safe',
    moneyMoved: 'unknown',
  });
}
