import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ErrorEnvelope } from '../../../src/api/contract/error.ts';
import { Event, Progress } from '../../../src/api/contract/event.ts';
import { TerminalDevice } from '../../../src/api/contract/terminal-device.ts';
import { TerminalPayment } from '../../../src/api/contract/terminal-payment.ts';
import { TerminalReconciliation } from '../../../src/api/contract/terminal-reconciliation.ts';
import { TerminalSettlement } from '../../../src/api/contract/terminal-settlement.ts';
import { TerminalTask } from '../../../src/api/contract/terminal-task.ts';

export interface Seen {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: unknown;
}

/** What the daemon answers; `destroy` cuts the connection without an answer. */
export type Reply = { readonly status: number; readonly body: unknown } | 'destroy' | 'hang';
type Route = (request: Seen) => Reply;

/** The local interface on a unix socket, as far as a test tells it; what it sends obeys our own contract. */
export class FakeDaemon {
  readonly folder = mkdtempSync(join(tmpdir(), 'tillctl-'));
  readonly socket = join(this.folder, 'tilld.sock');
  readonly seen: Seen[] = [];
  readonly #routes = new Map<string, Route>();
  readonly #streams = new Set<ServerResponse>();
  #server: Server | undefined;

  on(route: string, answer: Route): this {
    this.#routes.set(route, answer);
    return this;
  }

  async start(): Promise<this> {
    const server = createServer((request, response) => void this.#serve(request, response));
    this.#server = server;
    await new Promise<void>((resolve) => server.listen(this.socket, resolve));
    return this;
  }

  async stop(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    this.#streams.clear();
    if (!server) return;
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }

  async remove(): Promise<void> {
    await this.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  get listeners(): number {
    return this.#streams.size;
  }

  progress(text: string): void {
    const note = { payment_id: PAYMENT_ID, device_id: DEVICE.id, text, at: AT };
    this.#send(`event: terminal_payment.progress\ndata: ${JSON.stringify(Progress.parse(note))}\n\n`);
  }

  event(data: TerminalPayment | TerminalSettlement): void {
    const event = Event.parse({ id: 'evt_1', type: `terminal_payment.${data.status}`, created: AT, data });
    this.#send(`id: ${event.id}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  }

  requests(route: string): Seen[] {
    return this.seen.filter((seen) => `${seen.method} ${seen.path.split('?')[0]}` === route);
  }

  #send(text: string): void {
    for (const stream of this.#streams) stream.write(text);
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const seen = await readRequest(request);
    this.seen.push(seen);
    const route = `${seen.method} ${seen.path.split('?')[0]}`;
    if (route === 'GET /v2/events/stream') {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
      this.#streams.add(response);
      return;
    }
    const nothing = { status: 404, body: { error: `no route ${route}`, request_id: 'req_1' } };
    const reply = this.#routes.get(route)?.(seen) ?? nothing;
    if (reply === 'destroy') request.socket.destroy();
    if (typeof reply === 'string') return;
    response.writeHead(reply.status, { 'content-type': 'application/json' }).end(JSON.stringify(reply.body));
  }
}

async function readRequest(request: IncomingMessage): Promise<Seen> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) if (Buffer.isBuffer(chunk)) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString();
  return {
    method: request.method ?? '',
    path: request.url ?? '',
    headers: request.headers,
    body: text === '' ? undefined : JSON.parse(text),
  };
}

export const AT = '2026-05-01T10:00:00.000Z';
export const PAYMENT_ID = '0199c0de-0000-7000-8000-0000000000aa';

export const DEVICE = TerminalDevice.parse({
  id: '0199c0de-0000-7000-8000-000000000001',
  name: 'Counter 1',
  driver: 'zvt',
  currency: 'EUR',
  min_amount_minor: 1,
  max_amount_minor: 500_000,
  ask_above_minor: 100_000,
  tip: 'none',
  terminal_serial: '17F00001',
  terminal_id: '52500038',
  model: null,
  firmware: null,
  status: 'ready',
  status_reason: null,
  last_seen_at: AT,
  in_doubt_attempt_id: null,
  identity_grade: 'serial',
  capabilities: {},
  answering_serial: null,
  answering_terminal_id: null,
  shared_use: false,
  needs: null,
  is_connected: true,
  waiting: 0,
} satisfies TerminalDevice);

/** A payment of 12.34 EUR as the contract allows it. */
export function payment(more: Partial<TerminalPayment> = {}): TerminalPayment {
  return TerminalPayment.parse({
    id: PAYMENT_ID,
    invoice_id: null,
    device_id: DEVICE.id,
    type: 'sale',
    status: 'in_progress',
    amount_minor: 1234,
    currency: 'EUR',
    reference: null,
    terminal_serial: '17F00001',
    uti: null,
    auth_code: null,
    response_code: null,
    rrn: null,
    card_scheme: null,
    masked_pan: null,
    entry_mode: null,
    error_message: null,
    created_at: AT,
    completed_at: null,
    parent_id: null,
    corrects: null,
    corrects_type: null,
    corrected_by: null,
    retry_of: null,
    cause: null,
    approved_amount_minor: null,
    amount_confirmed: null,
    tip_minor: null,
    surcharge_minor: null,
    cashback_minor: null,
    given_back_minor: 0,
    giving_back_minor: 0,
    had_approval: false,
    error_code: null,
    in_doubt: false,
    in_doubt_since: null,
    cancel_requested_at: null,
    service_id: null,
    needs_person: false,
    tasks: [],
    charged: 'unknown',
    reported: 'pending',
    message: 'The customer is paying.',
    progress: null,
    receipt_number: null,
    trace: null,
    trace_id: '4bf92f3577b34da6a3ce929d0e0e4736',
    terminal_id: '52500038',
    cardholder_verification: null,
    online: 'unknown',
    receipts: { merchant: null, customer: null },
    metadata: {},
    ...more,
  } satisfies TerminalPayment);
}

export function paid(): TerminalPayment {
  return payment({
    status: 'succeeded',
    charged: 'yes',
    auth_code: '123456',
    masked_pan: '476173******0010',
    card_scheme: 'visa',
    entry_mode: 'contactless',
    approved_amount_minor: 1234,
    amount_confirmed: true,
    completed_at: AT,
    message: 'The customer has paid. Hand over the goods.',
    receipts: { merchant: null, customer: 'Thank you\u001B[31m\n12,34 EUR' },
  });
}

export const SETTLEMENT_ID = '0199c0de-0000-7000-8000-0000000000ee';
export const TASK_ID = '0199c0de-0000-7000-8000-0000000000dd';

const NO_SUM = { count: 0, amount_minor: 0 };
export const BOOKS = {
  sales: { count: 2, amount_minor: 2468 },
  refunds: NO_SUM,
  voids: NO_SUM,
  net_minor: 2468,
};

/** An end of day as the contract allows it. */
export function settlement(more: Partial<TerminalSettlement> = {}): TerminalSettlement {
  return TerminalSettlement.parse({
    id: SETTLEMENT_ID,
    object: 'terminal_settlement',
    device_id: DEVICE.id,
    source: 'request',
    status: 'in_progress',
    forced: null,
    created_at: AT,
    completed_at: null,
    terminal_serial: '17F00001',
    terminal_id: '52500038',
    currency: 'EUR',
    totals: null,
    ours: BOOKS,
    differs: null,
    comparison: null,
    receipts: { merchant: null, customer: null },
    error_code: null,
    error_message: null,
    message: 'The terminal is closing its day.',
    ...more,
  } satisfies TerminalSettlement);
}

/** A terminal's batch beside ours, as the contract allows it. */
export function reconciliation(more: Partial<TerminalReconciliation> = {}): TerminalReconciliation {
  return TerminalReconciliation.parse({
    object: 'terminal_reconciliation',
    device_id: DEVICE.id,
    at: AT,
    since: null,
    complete: true,
    currency: 'EUR',
    lines: [],
    totals: null,
    ours: BOOKS,
    totals_agree: null,
    message: 'What the terminal tells is in our books.',
    ...more,
  } satisfies TerminalReconciliation);
}

/** An open task as the contract allows it. */
export function task(more: Partial<TerminalTask> = {}): TerminalTask {
  return TerminalTask.parse({
    id: TASK_ID,
    object: 'terminal_task',
    kind: 'cancel_too_late',
    payment_id: PAYMENT_ID,
    settlement_id: null,
    device_id: null,
    message: 'Cancel came too late. The customer HAS paid. Hand over the goods or refund.',
    created_at: AT,
    asked: null,
    done: null,
    ...more,
  } satisfies TerminalTask);
}

export function list(data: readonly unknown[]): Reply {
  return { status: 200, body: { object: 'list', data, has_more: false, url: '/v2/x' } };
}

export function one(data: unknown, status = 200): Reply {
  return { status, body: { data } };
}

export function refusal(
  status: number,
  code: string,
  message: string,
  details?: Record<string, string>,
): Reply {
  const error = {
    type: 'invalid_request_error',
    code,
    message,
    ...(details ? { details } : {}),
    request_id: 'req_1',
  };
  return { status, body: ErrorEnvelope.parse({ error }) };
}
