import { counted } from '../../base/counted.ts';
import { AppError } from '../../base/errors.ts';
import { formatMoney, type Money } from '../../base/money.ts';
import { whereAnotherAnswers } from '../../base/next-step.ts';
import type { Device, DeviceView } from '../../terminal/device.ts';

/** How long a request may wait, and how many. */
export interface QueueLimits {
  /** Longest wait for a terminal, in ms. */
  readonly waitMs: number;
  /** Greatest age of a request that reaches a terminal, in ms. */
  readonly maxAgeMs: number;
  readonly maxWaiting: number;
}

/**
 * Checks that this device supports the operation.
 * @throws OPERATION_NOT_SUPPORTED, `context.details.instead` names what to do instead.
 */
export function checkCapability({ device, capabilities }: DeviceView, type: 'refund' | 'void'): void {
  const can = { refund: capabilities.refund, void: capabilities.void !== 'none' };
  if (can[type]) return;
  const other = type === 'refund' ? 'void' : 'refund';
  const instead = can[other] ? other : 'at the terminal by hand';
  throw new AppError(
    'OPERATION_NOT_SUPPORTED',
    `The terminal of ${device.name} cannot ${type} for the till. Nothing was given back: ${instead === other ? `${other} it instead` : 'do it by hand at the terminal, or give the money back in another way'}.`,
    { context: { details: { device_id: device.id, instead } } },
  );
}

/** @throws CURRENCY_NOT_ACCEPTED, AMOUNT_OUT_OF_RANGE */
export function checkAmount(device: Device, amount: Money): void {
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
export function checkTerminal(view: DeviceView, limits: QueueLimits): void {
  const { device, status, statusReason, inDoubtAttemptId, waiting } = view;
  const details = { device_id: device.id, device_status: status, reason: statusReason };
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
    throw new AppError(
      'WRONG_TERMINAL',
      `${statusReason?.replace(/\.$/, '') ?? `Another terminal is connected as ${device.name}`}. Nothing was started: put the known terminal back, or adopt the one that answers.`,
      {
        context: { details: { ...details, what_to_do: whereAnotherAnswers(device.id) } },
      },
    );
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
    throw new AppError(
      'LANE_FULL',
      `${counted(waiting, 'payment is', 'payments are')} waiting for ${device.name} already`,
      {
        retry: 'safe',
        context: { details },
      },
    );
  }
}
