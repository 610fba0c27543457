import { z } from 'zod';
import type { Clock } from '../base/clock.ts';
import { AppError } from '../base/errors.ts';
import type { ServiceTime } from '../outbox/report-port.ts';
import { EventOfPayment } from './contract.ts';
import { requireSigned } from './hook-signature.ts';
import type { HookWakeup } from './hook-wakeup.ts';
import { remember } from './remember.ts';

export interface HooksDeps {
  /** The valid secrets, read for each webhook, so that a rotation needs no restart; empty: there is none. */
  readonly secrets: () => readonly string[];
  readonly serviceTime: ServiceTime;
  readonly wakeup: HookWakeup;
  readonly clock: Clock;
}

/**
 * Receives the service's webhooks. A webhook is never the record: it only triggers a poll.
 * Events may come twice and in any order; some thousands of ids are remembered, and a forgotten one costs a poll.
 */
export class ServiceHooks {
  readonly #deps: HooksDeps;
  readonly #seen = new Set<string>();

  constructor(deps: HooksDeps) {
    this.#deps = deps;
  }

  /**
   * Processes one webhook.
   * @throws HOOK_SECRET_MISSING, HOOK_SIGNATURE_MISSING, HOOK_SIGNATURE_INVALID, HOOK_TIMESTAMP_INVALID, HOOK_UNREADABLE
   */
  heard(signature: string | undefined, body: Uint8Array): void {
    const { serviceTime, clock, wakeup } = this.#deps;
    const secrets = this.#deps.secrets();
    if (secrets.length === 0)
      throw new AppError('HOOK_SECRET_MISSING', 'No signing secret is there to check it with', {
        retry: 'safe',
      });
    const text = requireSigned(signature, body, secrets, serviceTime.now() ?? clock.now());
    const { id, type, data } = eventOf(text);
    if (this.#seen.has(id)) return;
    remember(this.#seen, id);
    wakeup.heard(paymentIn(type, data), type.endsWith('.cancelled'));
  }
}

/** The fields of an event that tilld reads; the interface's envelope has more. */
const Hook = z.looseObject({ id: z.string().min(1).max(200), type: z.string().max(200), data: z.unknown() });

function eventOf(text: string): z.infer<typeof Hook> {
  const hook = Hook.safeParse(jsonOf(text));
  if (hook.success) return hook.data;
  throw new AppError('HOOK_UNREADABLE', 'The body is no event: it needs an id and a type');
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** `terminal_payment.requested`, with or without `billing.`, refunds and voids too; any other event is no work. */
function paymentIn(type: string, data: unknown): string | null {
  if (!/^(billing\.)?terminal_/.test(type)) return null;
  const payment = EventOfPayment.safeParse(data);
  return payment.success ? payment.data.id : '';
}
