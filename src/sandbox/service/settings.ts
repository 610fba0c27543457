import type { Clock } from '../../base/clock.ts';
import type { Ids } from '../../base/ids.ts';
import type { Log } from '../../base/log.ts';
import type { ControllableTerminal, Memory } from '../controllable-terminal.ts';

/** An API key of the settings, known from the first start on; others are created at run time. */
export interface SandboxKey {
  /** `rk_sandbox_` and more; other keys are never accepted. */
  readonly key: string;
  /** `payments:read`, `payments:write`, `webhooks:read`, `webhooks:write`, … */
  readonly scopes: readonly string[];
  /** Epoch ms; absent: never. */
  readonly expiresAt?: number;
  readonly revoked?: boolean;
  /** IP addresses and CIDR ranges that may use the key; absent or empty: all. */
  readonly allow?: readonly string[];
}

/** A terminal device of the merchant's account. */
export interface SandboxDevice {
  /** UUID. */
  readonly id: string;
  readonly name: string;
  readonly terminalSerial?: string;
}

/** The device with this id, in upper or lower case. */
export function deviceOf(devices: readonly SandboxDevice[], id: string): SandboxDevice | undefined {
  return devices.find((device) => device.id.toLowerCase() === id.toLowerCase());
}

/** The fixed settings of the sandbox service. Fault injection at run time is {@link import('./behaviour.ts').Behaviour}. */
export interface SandboxSettings {
  /** `port` 0: any free one. */
  readonly listen: { readonly host: string; readonly port: number };
  readonly keys: readonly SandboxKey[];
  readonly devices: readonly SandboxDevice[];
  /** Sets requests per minute and burst per key: 60/10, 600/50, 6000/200; by the other table 100/200, 1000/2000; `unlimited` is ours. */
  readonly plan: 'starter' | 'growth' | 'enterprise' | 'test_mode' | 'production' | 'unlimited';
  /** True: a payment created with an `id` keeps it. */
  readonly honoursOurId: boolean;
  /** True: `metadata` is stored and returned; false: the field does not exist. */
  readonly keepsMetadata: boolean;
  /** True: an unknown body field or query parameter is refused with 400; false: it is ignored. */
  readonly refusesUnknownFields: boolean;
  /** False: `POST …/claim` is an unknown route. */
  readonly hasClaim: boolean;
  /** Number of the merchant's records of each kind; absent: a few. */
  readonly catalogue?: Partial<Readonly<Record<CatalogueKind, number>>>;
}

/** Kinds of generated records in the merchant's account; the same after every start. */
export type CatalogueKind =
  | 'invoices'
  | 'customers'
  | 'products'
  | 'prices'
  | 'subscriptions'
  | 'orders'
  | 'payment_intents'
  | 'disputes'
  | 'payouts'
  | 'mandates'
  | 'entitlements'
  | 'transactions';

/** The dependencies of the sandbox service. */
export interface SandboxDeps {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  /** Where the state is stored across restarts. */
  readonly memory: Memory;
  /** The virtual terminals that the control routes operate. */
  readonly terminals: readonly ControllableTerminal[];
}

/** Every limit of the sandbox service; the oldest entries are dropped. */
export const LIMITS = {
  payments: 2000,
  events: 5000,
  idempotencyKeys: 6000,
  deliveries: 1000,
  endpoints: 50,
  /** API keys that are still accepted; ended keys are dropped. */
  apiKeys: 200,
  /** The audit trail of API keys. */
  keyEvents: 1000,
  /** Body of a request, bytes. */
  body: 64 * 1024,
  /** Body of a set of product mappings, bytes. */
  mappingsBody: 2 * 1024 * 1024,
  /** Body of a hundred customers, bytes. */
  customersBody: 1024 * 1024,
  /** Customers that other systems reported. */
  externalCustomers: 2_000_000,
  /** Invoices, and entitlements, that clients created. */
  imported: 200_000,
  /** How many of the first of them survive a restart; of customers, are listed. */
  written: 2000,
  /** `metadata` as JSON, characters. */
  metadata: 8192,
  idempotencyKeyMs: 24 * 3_600_000,
  slowMs: 600_000,
  webhookTimeoutMs: 10_000,
} as const;
