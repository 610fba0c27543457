import { z } from 'zod';
import { mirroredListOf } from '../../api/contract/mirrored.ts';
import { AppError } from '../../base/errors.ts';
import { isUuid } from '../../base/ids.ts';
import type { DaemonClient } from '../client.ts';

const Invoices = mirroredListOf(z.looseObject({ id: z.string(), number: z.string().nullish() }));

/**
 * The id of an invoice: an id is given back unchanged, a number is looked up among the mirrored invoices.
 * @throws USAGE when no mirrored invoice has this number, or several have it.
 */
export async function invoiceIdOf(
  client: DaemonClient,
  wanted: string,
  signal?: AbortSignal,
): Promise<string> {
  if (isUuid(wanted)) return wanted;
  const query = new URLSearchParams({ search: wanted, limit: '100' });
  const { value } = await client.call({ path: `/v2/invoices?${query}`, signal }, Invoices);
  const word = wanted.trim().toLowerCase();
  const [found, another] = value.data.filter(({ number }) => number?.toLowerCase() === word);
  const shown = JSON.stringify(wanted.slice(0, 64));
  if (found && another)
    throw new AppError(
      'USAGE',
      `several invoices have the number ${shown}: say --invoice ${found.id} or --invoice ${another.id}`,
    );
  if (found) return found.id;
  throw new AppError(
    'USAGE',
    `no mirrored invoice has the number ${shown}: tillctl mirror invoices --search ${shown} shows what is similar; --invoice also takes an id`,
  );
}
