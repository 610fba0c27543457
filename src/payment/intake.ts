import type { Clock } from '../base/clock.ts';
import { AppError, messageOf } from '../base/errors.ts';
import type { Ids } from '../base/ids.ts';
import type { Log } from '../base/log.ts';
import { formatMoney, type Money } from '../base/money.ts';
import { guardJson, guardText } from '../base/text-guard.ts';
import type { Device, Devices, DeviceView } from '../terminal/device.ts';
import type { Attempt } from './attempt.ts';
import { type Candidate, guardOneSaleOneCharge, rivalSearch } from './guard.ts';
import type { AttemptView, KeyUse, SaleRequest } from './payments.ts';
import type { PaymentStore } from './ports.ts';
import type { NewAttempt, PaymentService } from './service.ts';
import type { ServiceRequest, ServiceWork } from './service-work.ts';

/** How long a request may wait, and how many. */
export interface LaneLimits {
  /** Longest wait in front of a terminal, in ms. */
  readonly waitMs: number;
  /** Oldest a request may be when it reaches a terminal, in ms. */
  readonly maxAgeMs: number;
  readonly maxWaiting: number;
}

export interface IntakePorts {
  readonly service: PaymentService;
  readonly store: PaymentStore;
  readonly devices: Devices;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly limits: LaneLimits;
  /** Called with the device whose lane has something new. */
  readonly wake: (deviceId: string) => void;
}

/**
 * Where requests enter, from the counter and from the service.
 * A local one is refused before anything is written; claimed work of the service is always written, because somebody
 * waits for its outcome.
 */
export class Intake implements ServiceWork {
  readonly #ports: IntakePorts;
  #closed = false;

  constructor(ports: IntakePorts) {
    this.#ports = ports;
  }

  /** Refuses everything from now on: the daemon is going down. */
  close(): void {
    this.#closed = true;
  }

  /**
   * Takes a sale of the shop.
   * @throws what {@link Payments.create} lists; nothing is written then.
   */
  create(request: SaleRequest, key?: KeyUse): AttemptView {
    const { service, devices, clock, limits, wake } = this.#ports;
    if (this.#closed)
      throw new AppError('SHUTTING_DOWN', 'tilld is shutting down: nothing was charged', { retry: 'safe' });
    const view = devices.get(request.deviceId);
    if (!view) {
      throw new AppError('DEVICE_UNKNOWN', 'no device has this id', { context: { param: 'device_id' } });
    }
    checkAmount(view.device, request.amount);
    this.#guard({ ...request }, clock.now());
    checkTerminal(view, limits);
    const now = clock.now();
    const birth = this.#birth(
      request,
      { kind: 'local', caller: request.caller },
      now,
      now + Math.min(limits.waitMs, limits.maxAgeMs),
    );
    const opened = service.open(birth, key ? { key: { ...key, caller: request.caller } } : {});
    wake(request.deviceId);
    return opened;
  }

  isOurs(serviceId: string, metadata: Readonly<Record<string, unknown>>): boolean {
    const { store } = this.#ports;
    if (store.attemptOfServiceId(serviceId)) return true;
    const echo = metadata['tilld'];
    if (typeof echo !== 'object' || echo === null || !('attempt' in echo)) return false;
    return typeof echo.attempt === 'string' && store.findAttempt(echo.attempt) !== null;
  }

  accept(request: ServiceRequest): void {
    const { service, devices, clock, limits, log, wake } = this.#ports;
    if (this.isOurs(request.serviceId, request.metadata)) return;
    const now = clock.now();
    const left = Math.min(limits.waitMs, limits.maxAgeMs - request.ageMs);
    const { serviceId } = request;
    const birth = this.#birth(guarded(request), { kind: 'service', serviceId }, now, now + Math.max(left, 0));
    const late = this.#closed ? GOING_DOWN : left <= 0 ? STALE : null;
    const refusal = late ?? this.#refusalOf(birth, devices.get(request.deviceId), now);
    const { attempt } = service.open(birth, {
      serviceId,
      facts: { service_id: serviceId, age_ms: request.ageMs },
      ...(refusal ? { refusal } : {}),
    });
    if (refusal) log.warn({ attempt: attempt.id, code: refusal.code }, 'work of the service refused');
    else wake(request.deviceId);
  }

  #refusalOf(
    birth: NewAttempt,
    view: DeviceView | undefined,
    now: number,
  ): { code: string; message: string } | null {
    try {
      if (!view) throw new AppError('DEVICE_UNKNOWN', 'this agent has no such device');
      checkAmount(view.device, birth.amount);
      this.#guard({ ...birth, caller: 'service' }, now);
      return view.inDoubtAttemptId === null ? null : RECOVERING;
    } catch (error) {
      if (error instanceof AppError) return { code: error.code.toLowerCase(), message: messageOf(error) };
      throw error;
    }
  }

  #guard(candidate: Candidate, now: number): void {
    guardOneSaleOneCharge(candidate, this.#ports.store.rivalSales(rivalSearch(candidate, now)), now, null);
  }

  #birth(
    sale: Pick<SaleRequest, 'deviceId' | 'amount' | 'invoiceId' | 'reference' | 'metadata' | 'after'>,
    origin: Attempt['origin'],
    createdAt: number,
    expiresAt: number,
  ): NewAttempt {
    const { deviceId, amount, invoiceId, reference, metadata, after } = sale;
    const { ids } = this.#ports;
    return {
      id: ids.uuid(),
      type: 'sale',
      parentId: null,
      deviceId,
      amount,
      invoiceId,
      reference,
      metadata,
      origin,
      after,
      createdAt,
      expiresAt,
    };
  }
}

const GOING_DOWN = { code: 'expired', message: 'tilld was shutting down when the request arrived.' };
const STALE = {
  code: 'expired',
  message: 'The request was older than its limit when it arrived.',
};
const RECOVERING = {
  code: 'terminal_recovering',
  message: 'The payment before it is not settled yet. Try again shortly.',
};

/** Free text of the service without card numbers, as the local interface does it with its callers'. */
function guarded(request: ServiceRequest): Omit<SaleRequest, 'caller'> {
  const metadata = guardJson(request.metadata);
  return {
    ...request,
    after: null,
    invoiceId: request.invoiceId === null ? null : guardText(request.invoiceId),
    reference: request.reference === null ? null : guardText(request.reference),
    metadata: typeof metadata === 'object' && metadata !== null ? { ...metadata } : {},
  };
}

/** @throws CURRENCY_NOT_ACCEPTED, AMOUNT_OUT_OF_RANGE */
function checkAmount(device: Device, amount: Money): void {
  if (amount.currency !== device.currency) {
    throw new AppError('CURRENCY_NOT_ACCEPTED', `${device.name} takes ${device.currency} only`, {
      context: { param: 'currency', details: { accepted: device.currency } },
    });
  }
  if (amount.minor < device.minAmountMinor || amount.minor > device.maxAmountMinor) {
    const range = [device.minAmountMinor, device.maxAmountMinor].map((minor) =>
      formatMoney({ minor, currency: device.currency }),
    );
    throw new AppError('AMOUNT_OUT_OF_RANGE', `${device.name} takes amounts from ${range.join(' to ')}`, {
      context: { param: 'amount_minor', details: { min: device.minAmountMinor, max: device.maxAmountMinor } },
    });
  }
}

/** @throws TERMINAL_IN_DOUBT, WRONG_TERMINAL, TERMINAL_NOT_READY, LANE_FULL */
function checkTerminal(view: DeviceView, limits: LaneLimits): void {
  const { device, status, statusReason, inDoubtAttemptId, waiting } = view;
  const details = { device_id: device.id, status, reason: statusReason };
  if (status === 'recovering' && inDoubtAttemptId !== null) {
    throw new AppError(
      'TERMINAL_IN_DOUBT',
      `${device.name} is finding out how its last payment ended. Nothing was charged now.`,
      {
        context: { details: { ...details, in_doubt_attempt_id: inDoubtAttemptId } },
      },
    );
  }
  if (status === 'wrong_terminal') {
    throw new AppError('WRONG_TERMINAL', statusReason ?? `another terminal is connected as ${device.name}`, {
      context: { details },
    });
  }
  if (status === 'offline' || status === 'recovering') {
    throw new AppError(
      'TERMINAL_NOT_READY',
      `${device.name} cannot take a card: ${statusReason ?? 'it does not answer'}`,
      {
        retry: 'safe',
        context: { details },
      },
    );
  }
  if (waiting >= limits.maxWaiting) {
    throw new AppError('LANE_FULL', `${waiting} payments are waiting for ${device.name} already`, {
      retry: 'safe',
      context: { details },
    });
  }
}
