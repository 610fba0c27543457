import type { Clock } from '../../base/clock.ts';
import type { Ids } from '../../base/ids.ts';
import type { Log } from '../../base/log.ts';
import type { ControllableTerminal, Memory } from '../controllable-terminal.ts';

/** An API key that the stand-in knows from its first start on; more are made while it runs. */
export interface SandboxKey {
  /** `rk_sandbox_` and more; anything else is never accepted. */
  readonly key: string;
  /** `payments:read`, `payments:write`, `webhooks:read`, `webhooks:write`, … */
  readonly scopes: readonly string[];
  /** Epoch ms; absent: never. */
  readonly expiresAt?: number;
  readonly revoked?: boolean;
  /** IP addresses and CIDR ranges that may use it; absent or empty: all. */
  readonly allow?: readonly string[];
}

/** A terminal device as the merchant registered it. */
export interface SandboxDevice {
  /** UUID. */
  readonly id: string;
  readonly name: string;
  readonly terminalSerial?: string;
}

/** The device with this id, in any case of letters. */
export function deviceOf(devices: readonly SandboxDevice[], id: string): SandboxDevice | undefined {
  return devices.find((device) => device.id.toLowerCase() === id.toLowerCase());
}

/** What the stand-in is: fixed while it runs. What it does wrong meanwhile is {@link import('./behaviour.ts').Behaviour}. */
export interface SandboxSettings {
  /** `port` 0: any free one. */
  readonly listen: { readonly host: string; readonly port: number };
  readonly keys: readonly SandboxKey[];
  readonly devices: readonly SandboxDevice[];
  /** Sets requests per minute and burst per key: 60/10, 600/50, 6000/200; by the other table 100/200, 1000/2000; `unlimited` is no plan of theirs. */
  readonly plan: 'starter' | 'growth' | 'enterprise' | 'test_mode' | 'production' | 'unlimited';
  /** True: a payment created with an `id` keeps it. */
  readonly honoursOurId: boolean;
  /** True: `metadata` is stored and given back; false: the field does not exist. */
  readonly keepsMetadata: boolean;
  /** True: a body field or query parameter that this service does not know is refused with 400; false: it is ignored. */
  readonly refusesUnknownFields: boolean;
  /** False: `POST …/claim` is an unknown route. */
  readonly hasClaim: boolean;
  /** How much of each kind the merchant has; absent: a handful. */
  readonly catalogue?: Partial<Readonly<Record<CatalogueKind, number>>>;
}

/** What the merchant's account holds beside terminals; made up, the same after every start. */
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
  | 'entitlements';

/** The world of the stand-in, passed in. */
export interface SandboxPorts {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  /** Where everything is kept across restarts. */
  readonly memory: Memory;
  /** The virtual terminals whose keypads the control routes reach. */
  readonly terminals: readonly ControllableTerminal[];
}

/** Every maximum of the stand-in in one place; the oldest entries give way. */
export const LIMITS = {
  payments: 2000,
  events: 5000,
  idempotencyKeys: 6000,
  deliveries: 1000,
  endpoints: 50,
  /** API keys that may still be used; those that ended give way. */
  apiKeys: 200,
  /** The audit trail of API keys. */
  keyEvents: 1000,
  /** Body of a request, bytes. */
  body: 64 * 1024,
  /** Body of a whole set of product mappings, bytes. */
  mappingsBody: 2 * 1024 * 1024,
  /** Body of a hundred customers, bytes. */
  customersBody: 1024 * 1024,
  /** Customers that other systems told of; they are kept while the service runs. */
  externalCustomers: 2_000_000,
  /** Invoices, and entitlements, that somebody brought; they are kept while the service runs. */
  brought: 200_000,
  /** `metadata` as JSON, characters. */
  metadata: 8192,
  idempotencyKeyMs: 24 * 3_600_000,
  slowMs: 600_000,
  webhookTimeoutMs: 10_000,
} as const;
