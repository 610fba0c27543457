import { z } from 'zod';
import { hasCode } from '../../base/errors.ts';
import {
  type ControllableTerminal,
  FAULT_KINDS,
  FAULT_POINTS,
  KEYS,
  type TerminalSnapshot,
} from '../controllable-terminal.ts';
import { type Behaviour, BehaviourBody, type BehaviourPatch, type BehaviourSwitch } from './behaviour.ts';
import { type Answer, invalid, notFound, parseBody } from './errors.ts';
import type { KeyService } from './key-service.ts';
import type { Ledger } from './ledger.ts';
import { paymentView } from './payment-view.ts';
import type { Payments } from './payments.ts';
import { iso, type ServiceClock } from './service-clock.ts';
import type { SandboxSettings } from './settings.ts';

const KeyBody = z.strictObject({ key: z.enum(KEYS) });

const FaultBody = z.strictObject({
  fault: z.strictObject({
    when: z.enum(FAULT_POINTS),
    do: z.enum(FAULT_KINDS),
    ms: z.int().min(0).max(600_000).exactOptional(),
    times: z.int().min(1).max(1_000_000).exactOptional(),
  }),
});

/** What a payment was requested for, its current state, and the number of calls of each kind. */
export type LedgerLine = Readonly<Record<string, unknown>>;

/**
 * The controls for staff and tests; the `/sandbox` routes call them.
 * Bodies are checked here: every method that takes `unknown` throws a refusal (400) for an invalid one.
 */
export class SandboxControl {
  /** The dashboard's API keys. */
  readonly keys: KeyService;
  readonly #settings: SandboxSettings;
  readonly #terminals: readonly ControllableTerminal[];
  readonly #ledger: Ledger;
  readonly #payments: Payments;
  readonly #behaviour: BehaviourSwitch;
  readonly #clock: ServiceClock;

  constructor(parts: {
    readonly settings: SandboxSettings;
    readonly terminals: readonly ControllableTerminal[];
    readonly ledger: Ledger;
    readonly payments: Payments;
    readonly behaviour: BehaviourSwitch;
    readonly clock: ServiceClock;
    readonly keys: KeyService;
  }) {
    this.keys = parts.keys;
    this.#settings = parts.settings;
    this.#terminals = parts.terminals;
    this.#ledger = parts.ledger;
    this.#payments = parts.payments;
    this.#behaviour = parts.behaviour;
    this.#clock = parts.clock;
  }

  /** Settings, fault injection and counters. */
  overview(): Readonly<Record<string, unknown>> {
    const { plan, honoursOurId, keepsMetadata, refusesUnknownFields, hasClaim, devices } = this.#settings;
    const { payments, events, keys, endpoints, deliveries, apiKeys, forgotten } = this.#ledger;
    return {
      now: iso(this.#clock.now()),
      service: {
        plan,
        honours_our_id: honoursOurId,
        keeps_metadata: keepsMetadata,
        refuses_unknown_fields: refusesUnknownFields,
        has_claim: hasClaim,
      },
      behaviour: this.#behaviour.now,
      devices: devices.map(({ id, name }) => ({ id, name })),
      terminals: this.#terminals.map(({ name }) => name),
      held: {
        payments: payments.size,
        forgotten_payments: forgotten,
        events: events.size,
        idempotency_keys: keys.size,
        api_keys: apiKeys.size,
        webhook_endpoints: endpoints.size,
        webhook_deliveries: deliveries.size,
      },
    };
  }

  /** Every payment, oldest first, with its calls. */
  ledger(): readonly LedgerLine[] {
    return [...this.#ledger.payments.values()].map((payment) => ({
      ...paymentView(payment, this.#settings.keepsMetadata),
      agent: payment.agent,
      asked_by: payment.askedBy,
      asked: payment.asked,
      calls: payment.calls,
    }));
  }

  /** Changes the fields that the patch names. */
  behave(patch: BehaviourPatch): Behaviour {
    return this.#behaviour.change(parseBody(BehaviourBody, patch));
  }

  /** As {@link behave}, for an unchecked body. */
  behaveAs(body: unknown): Behaviour {
    return this.behave(parseBody(BehaviourBody, body));
  }

  /** Ends all fault injection. */
  behaveWell(): Behaviour {
    return this.#behaviour.reset();
  }

  /** The back office requests a payment: `{device_id, amount_minor, currency, …, created_ago_ms?}`; returns the payment. */
  requestPayment(body: unknown): unknown {
    return this.#committed(() => this.#payments.request(body));
  }

  /** The back office requests a refund or void of a sale: `{amount_minor?, metadata?, created_ago_ms?}`; returns the new payment. */
  requestBack(id: string, type: 'refund' | 'void', body: unknown): unknown {
    return this.#committed(() => this.#payments.requestBack(id, type, body));
  }

  /** The back office cancels a payment; returns the payment. */
  cancelPayment(id: string): unknown {
    return this.#committed(() => this.#payments.cancel(id, {}));
  }

  terminals(): readonly Readonly<Record<string, unknown>>[] {
    return this.#terminals.map((terminal) => snapshotView(terminal.snapshot()));
  }

  /** Presses `{key}` on a terminal's keypad. */
  press(name: string, body: unknown): Readonly<Record<string, unknown>> {
    const terminal = this.#terminal(name);
    terminal.press(parseBody(KeyBody, body).key);
    return snapshotView(terminal.snapshot());
  }

  /** Adds `{fault: {when, do, ms?, times?}}` to a terminal's faults. */
  inject(name: string, body: unknown): Readonly<Record<string, unknown>> {
    const terminal = this.#terminal(name);
    const { fault } = parseBody(FaultBody, body);
    try {
      terminal.inject(fault);
    } catch (error) {
      throw hasCode(error, 'SANDBOX_FAULT_INVALID') ? invalid('fault', error.message) : error;
    }
    return snapshotView(terminal.snapshot());
  }

  #committed(work: () => Answer): unknown {
    try {
      return work().body;
    } finally {
      this.#ledger.commit();
    }
  }

  #terminal(name: string): ControllableTerminal {
    const terminal = this.#terminals.find((known) => known.name === name);
    if (!terminal) throw notFound('terminal', 'name');
    return terminal;
  }
}

function snapshotView(snapshot: TerminalSnapshot): Readonly<Record<string, unknown>> {
  const { name, protocol, address, busy, screen, ledger } = snapshot;
  const lines = ledger.map((entry) => ({
    sequence: entry.sequence,
    batch: entry.batch,
    receipt_number: entry.receiptNumber,
    trace: entry.trace,
    kind: entry.kind,
    amount_minor: entry.amountMinor,
    currency: entry.currency,
    result: entry.result,
    reversed: entry.reversed,
    undoes: entry.undoes,
    by_hand: entry.byHand,
    at: iso(entry.at),
  }));
  return { name, protocol, address, busy, screen, ledger: lines };
}
