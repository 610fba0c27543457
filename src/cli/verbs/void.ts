import { canonicalId } from '../../base/ids.ts';
import type { ExitCode } from '../exit-code.ts';
import type { Io } from '../io.ts';
import { POLLING_INTERVAL, type PollingInterval } from '../pay/polling-interval.ts';
import { type StartOptions, startAndFollow } from '../pay/start.ts';
import { paymentPath } from '../payment-path.ts';

export interface VoidOptions extends StartOptions {
  readonly id: string;
}

/** `tillctl void ID`: voids a whole sale while its batch is open, and waits for the outcome. */
export async function voidPayment(
  options: VoidOptions,
  io: Io,
  interval: PollingInterval = POLLING_INTERVAL,
): Promise<ExitCode> {
  const path = paymentPath(options.id, 'void');
  const at = `of payment ${canonicalId(options.id)}`;
  return startAndFollow(options, io, interval, async () => ({ what: 'void', path, body: {}, at }));
}
