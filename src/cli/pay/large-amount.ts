import { Invoice } from '../../api/contract/invoice.ts';
import { dataOf } from '../../api/contract/primitives.ts';
import { UsualAmount } from '../../api/contract/terminal-activity.ts';
import type { TerminalDevice } from '../../api/contract/terminal-device.ts';
import type { CreateTerminalPayment } from '../../api/contract/terminal-payment.ts';
import { AppError } from '../../base/errors.ts';
import { formatMoney, isCurrency, type Money } from '../../base/money.ts';
import type { DaemonClient } from '../client.ts';
import { confirmed } from '../confirm.ts';
import type { Io } from '../io.ts';
import { plain } from '../show/plain.ts';

/** A payment that is about to be requested. */
export interface Wanted {
  readonly device: TerminalDevice;
  readonly body: CreateTerminalPayment;
}

/**
 * Asks once more before more than is usual at the device is taken, as the pages do.
 * @throws NOT_CONFIRMED where the answer is not yes; INTERRUPTED behind Ctrl-C. Nothing was started then.
 */
export async function confirmLarge(
  client: DaemonClient,
  io: Io,
  wanted: Wanted,
  signal: AbortSignal,
): Promise<void> {
  const { device } = wanted;
  const amount = await amountOf(client, wanted, signal);
  if (amount === null || amount.minor <= device.ask_above_minor) return;
  const usual = await usualText(client, device, signal);
  const question = `${formatMoney(amount)} on ${plain(device.name)} is more than usual${usual}. Take it?`;
  if (await confirmed(io, question, signal)) return;
  throw new AppError('NOT_CONFIRMED', 'nothing was started, and the customer was not charged', {
    moneyMoved: 'no',
  });
}

/** What is asked for; null: it is not known here what is due of the invoice, and the device's hard maximum alone holds. */
async function amountOf(client: DaemonClient, { body }: Wanted, signal: AbortSignal): Promise<Money | null> {
  const { amount_minor: minor, currency, invoice_id: invoice } = body;
  if (minor !== undefined && currency !== undefined) return { minor, currency };
  if (invoice === undefined) return null;
  const call = { path: `/v2/invoices/${invoice}`, signal };
  const mirrored = (await client.call(call, dataOf(Invoice)).catch(() => null))?.value.data;
  const due = mirrored?.amount_due_minor;
  const unit = mirrored?.currency ?? '';
  if (mirrored === undefined || due === undefined || !isCurrency(unit)) return null;
  return { minor: due - mirrored.paid_here_minor, currency: unit };
}

/** Empty where too few sales were taken to know. */
async function usualText(client: DaemonClient, { id }: TerminalDevice, signal: AbortSignal): Promise<string> {
  const call = { path: `/v2/terminal-devices/${id}/usual-amount`, signal };
  const usual = (await client.call(call, dataOf(UsualAmount)).catch(() => null))?.value.data;
  if (!usual || usual.at_most_minor === null) return '';
  const most = formatMoney({ minor: usual.at_most_minor, currency: usual.currency });
  return ` (19 of 20 sales there are of ${most} or less)`;
}
