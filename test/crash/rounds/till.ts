import { setTimeout as pause } from 'node:timers/promises';
import type { Currency } from '../../../src/base/money.ts';
import { type Answer, ask, NoAnswer, type Question } from './ask.ts';
import { amountOf, basketOf } from './basket.ts';
import { isFinal, type Payment, paymentOf, paymentsOf, refusalOf } from './payment.ts';
import type { TimeLimit } from './time-limit.ts';
import { DEVICE_ID } from './world.ts';

/** Something that the till wants done, once, whatever happens in between. */
export interface TillRequest {
  readonly kind: Payment['type'];
  readonly basket: number;
  readonly path: string;
  readonly body?: object;
  /** Sent with every repetition; null: the cashier looks into the list instead of pressing again. */
  readonly key: string | null;
  readonly reference: string | null;
  /** The payment that stands for it; null while nobody knows. */
  id: string | null;
  /** Nobody wants it any more, or it was refused for good. */
  isOver: boolean;
  /** How often it was sent. */
  presses: number;
  /** Pressed again after it had ended without money. */
  wasRenewed: boolean;
}

/** A payment as it was shown to the till. */
export interface Shown extends Payment {
  readonly request: TillRequest | null;
}

const LOOK_MS = 40;
/** Pressing again while the terminal is not ready. */
const AGAIN_MS = 150;

/**
 * A till with a memory: it knows what it asked for and what it was answered, whatever becomes of the daemon. What was not answered it asks
 * again with the same key or reference, or it looks into the list.
 */
export class Till {
  readonly requests: TillRequest[] = [];
  /** Every payment that an answer below 300 showed, in their order. */
  readonly shown: Shown[] = [];
  /** What an answer said that it must not say. */
  readonly complaints: string[] = [];
  #at: Question['at'] | null = null;
  #keys = 0;
  readonly #name: string;
  readonly #currency: Currency;

  /** @param name makes its keys and references its own. */
  constructor(name: string, currency: Currency) {
    this.#name = name;
    this.#currency = currency;
  }

  /** The daemon is there, again. */
  moveTo(at: Question['at']): void {
    this.#at = at;
  }

  /** `lessMinor`: asks for less than the basket's most. */
  sale(
    basket: number,
    by: { readonly key?: boolean; readonly reference?: boolean; readonly lessMinor?: number } = {},
  ): Promise<TillRequest> {
    const reference = by.reference ? `${this.#name}-basket-${basket}` : null;
    const body = {
      device_id: DEVICE_ID,
      amount_minor: amountOf(basket, by.lessMinor),
      currency: this.#currency,
      ...(reference === null ? {} : { reference }),
    };
    return this.#want('sale', basket, '/terminal-payments', {
      key: by.key ? this.#newKey() : null,
      reference,
      body,
    });
  }

  /** `lessMinor`: how much of it is kept. */
  refund(of: TillRequest, lessMinor: number, by: { readonly key?: boolean } = {}): Promise<TillRequest> {
    const body = lessMinor === 0 ? {} : { amount_minor: amountOf(of.basket, lessMinor) };
    const path = `/terminal-payments/${of.id}/refund`;
    return this.#want('refund', of.basket, path, {
      key: by.key ? this.#newKey() : null,
      reference: null,
      body,
    });
  }

  void(of: TillRequest, by: { readonly key?: boolean } = {}): Promise<TillRequest> {
    const path = `/terminal-payments/${of.id}/void`;
    return this.#want('void', of.basket, path, { key: by.key ? this.#newKey() : null, reference: null });
  }

  /** Asks for a payment to be stopped; the customer does not want it any more. */
  async cancel(request: TillRequest): Promise<void> {
    request.isOver = true;
    if (request.id === null) return;
    this.#heard(await this.#ask('POST', `/terminal-payments/${request.id}/cancel`), request);
  }

  endOfDay(): Promise<Answer> {
    return this.#ask('POST', `/terminal-devices/${DEVICE_ID}/end-of-day`, {});
  }

  /** Looks at it until `enough`, or until nobody can say more: `null`. @throws NoAnswer */
  async watch(
    request: TillRequest,
    enough: (payment: Payment) => boolean,
    limitMs: number,
  ): Promise<Payment | null> {
    const end = performance.now() + limitMs;
    while (request.id !== null && performance.now() < end) {
      const payment = this.#heard(await this.#ask('GET', `/terminal-payments/${request.id}`), request);
      if (payment && enough(payment)) return payment;
      await pause(LOOK_MS);
    }
    return null;
  }

  /** Waits for its end. @throws NoAnswer */
  outcome(request: TillRequest, limitMs = 8000): Promise<Payment | null> {
    return this.watch(request, (payment) => isFinal(payment) || payment.in_doubt, limitMs);
  }

  /** After a crash: finds out what became of everything it had asked for, and presses again where nothing was charged. @throws NoAnswer */
  async catchUp(isOver: TimeLimit): Promise<void> {
    for (const request of this.requests) {
      while (request.id === null && !request.isOver && !isOver()) {
        await (request.key === null && request.reference === null
          ? this.#lookFor(request)
          : this.#press(request));
        if (request.id === null && !request.isOver) await pause(AGAIN_MS);
      }
    }
  }

  /** Presses again what ended without money and is still wanted, once each. @throws NoAnswer */
  async renew(): Promise<readonly TillRequest[]> {
    const renewed: TillRequest[] = [];
    for (const request of [...this.requests]) {
      if (request.id === null || request.isOver || request.wasRenewed || request.kind !== 'sale') continue;
      const payment = this.#heard(await this.#ask('GET', `/terminal-payments/${request.id}`), request);
      if (!payment || !isFinal(payment) || payment.charged !== 'no') continue;
      const again = await this.sale(request.basket, { key: true, reference: request.reference !== null });
      request.wasRenewed = true;
      again.wasRenewed = true;
      renewed.push(again);
    }
    return renewed;
  }

  /** Everything in the list, as it is shown. @throws NoAnswer */
  async list(): Promise<readonly Payment[]> {
    const { status, body } = await this.#ask('GET', '/terminal-payments?limit=100');
    const payments = status === 200 ? paymentsOf(body) : [];
    for (const payment of payments) this.shown.push({ ...payment, request: this.#requestOf(payment.id) });
    return payments;
  }

  async #want(
    kind: TillRequest['kind'],
    basket: number,
    path: string,
    how: { readonly key: string | null; readonly reference: string | null; readonly body?: object },
  ): Promise<TillRequest> {
    const request: TillRequest = {
      kind,
      basket,
      path,
      ...how,
      id: null,
      isOver: false,
      presses: 0,
      wasRenewed: false,
    };
    this.requests.push(request);
    await this.#press(request);
    return request;
  }

  async #press(request: TillRequest): Promise<void> {
    const { path, body, key } = request;
    request.presses += 1;
    const answer = await this.#ask('POST', path, body, key ?? undefined);
    if (this.#heard(answer, request) || answer.status < 300) return;
    const { code, paymentId } = refusalOf(answer.body);
    const standsForIt = request.kind === 'sale' && /^payment_already_(open|paid)$/.test(code);
    if (standsForIt && paymentId !== null && request.reference !== null) this.#adopt(request, paymentId);
    else if (answer.status !== 409 && answer.status < 500) request.isOver = true;
  }

  /** Without key and reference nobody presses twice: whoever sees it in the list knows that it was taken. */
  async #lookFor(request: TillRequest): Promise<void> {
    const found = (await this.list()).find(
      ({ id, type, amount_minor }) =>
        type === request.kind && basketOf(amount_minor) === request.basket && this.#requestOf(id) === null,
    );
    if (found) this.#adopt(request, found.id);
    else request.isOver = true;
  }

  #adopt(request: TillRequest, id: string): void {
    request.id = id;
  }

  #requestOf(id: string): TillRequest | null {
    return this.requests.find((request) => request.id === id) ?? null;
  }

  /** Notes a payment that an answer showed. */
  #heard({ status, body }: Answer, request: TillRequest): Payment | null {
    if (status >= 300) return null;
    const payment = paymentOf(body);
    this.shown.push({ ...payment, request });
    if (request.id !== null && request.id !== payment.id)
      this.complaints.push(
        `asked again, ${request.kind} of basket ${request.basket} is ${payment.id} and was ${request.id}`,
      );
    request.id = payment.id;
    return payment;
  }

  #newKey(): string {
    this.#keys += 1;
    return `${this.#name}-key-${this.#keys}`;
  }

  async #ask(method: Question['method'], path: string, body?: object, key?: string): Promise<Answer> {
    if (this.#at === null) throw new NoAnswer('the daemon is not there');
    const question = { at: this.#at, method, path, ...(body === undefined ? {} : { body }) };
    const answer = await ask({ ...question, idempotencyKey: key });
    if (answer.status >= 500 && answer.status !== 503)
      this.complaints.push(`${method} ${path} was answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    return answer;
  }
}
