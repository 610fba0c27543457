import { join } from 'node:path';
import type { CommitKill } from '../../crash/rounds/kill-order.ts';
import { fastFolder } from '../../simulation/fast-folder.ts';
import { type InvoiceShop, startInvoiceShop } from './shop.ts';
import { Way } from './way.ts';

export interface RoundsResult {
  readonly rounds: number;
  /** Kills that struck where they were ordered. */
  readonly kills: number;
  /** Places that were hit, of those that the first way had. */
  readonly places: number;
  readonly of: number;
  /** Ways on which the ordered commit did not come. */
  readonly missed: number;
  readonly failures: readonly string[];
}

/**
 * So many invoices go from the provider to the till and back, and at each the daemon is killed at another commit point of that way: right before it and
 * right behind it. The judge reads what provider, service and terminal have, and nothing of tilld's.
 */
export async function playInvoices(rounds: number, from = 0, step = 1): Promise<RoundsResult> {
  const root = fastFolder();
  const shop = await startInvoiceShop(root.path);
  const way = new Way(shop, join(root.path, 'compiled'));
  const failures: string[] = [];
  const hit = new Set<string>();
  let [kills, missed] = [0, 0];
  try {
    await way.begin();
    const places = placesOf((await way.walk(0, null)).commits);
    for (let round = 1; round <= rounds; round += 1) {
      const order = places[(from + (round - 1) * step) % places.length] ?? null;
      const kill = order ? `${order.when} ${order.name} #${order.occurrence}` : 'none';
      try {
        const { killed } = await way.walk(round, order);
        if (killed) kills += 1;
        else missed += 1;
        if (killed) hit.add(kill);
      } catch (error) {
        failures.push(`round ${round} (${kill}): ${String(error)}`);
      }
      failures.push(...(await accusations(shop, round)).map((text) => `round ${round} (${kill}): ${text}`));
      if (failures.length > 5) break;
    }
    return { rounds, kills, places: hit.size, of: places.length, missed, failures };
  } finally {
    await way.end();
    await shop.close();
    root.remove();
  }
}

/** Every commit of the way, by its name and its place among those of the same name. */
function placesOf(commits: readonly string[]): readonly CommitKill[] {
  const met = new Map<string, number>();
  return commits.flatMap((name) => {
    const occurrence = (met.get(name) ?? 0) + 1;
    met.set(name, occurrence);
    if (occurrence > 3) return [];
    return (['before', 'after'] as const).map((when) => ({ name, when, occurrence }));
  });
}

/** Of one invoice: charged once by the terminal, one paid invoice and one payment at the service, one receipt at the provider. */
async function accusations(shop: InvoiceShop, index: number): Promise<readonly string[]> {
  const { office, service, terminal } = shop;
  const total = 1000 + index;
  const charges = terminal
    .snapshot()
    .ledger.filter(
      ({ kind, result, reversed, amountMinor }) =>
        kind === 'sale' && result === 'approved' && !reversed && amountMinor === total,
    );
  const invoices = (await everyInvoice(service.url)).filter(({ number }) => number === `BILL-${index}`);
  const payments = service.control
    .ledger()
    .filter((line) => line['invoice_id'] === invoices[0]?.['id'] && line['status'] === 'succeeded');
  const receipts = office.receipts.filter(({ invoice }) => invoice === `B${index}`);
  const counts = [
    ['charges at the terminal', charges.length],
    ['invoices at the service', invoices.length],
    ['payments at the service', payments.length],
    ['receipts at the provider', receipts.length],
  ] as const;
  return [
    ...counts.filter(([, count]) => count !== 1).map(([what, count]) => `${count} ${what}`),
    ...(invoices[0]?.['status'] === 'paid'
      ? []
      : [`the invoice is ${String(invoices[0]?.['status'])} at the service`]),
    ...(receipts.every(({ cents }) => cents === total) ? [] : ['the receipt is of another amount']),
  ];
}

async function everyInvoice(url: string): Promise<readonly Record<string, unknown>[]> {
  const all: Record<string, unknown>[] = [];
  for (let offset = 0; ; offset += 100) {
    const answer = await fetch(`${url}/v2/invoices?limit=100&offset=${offset}`, {
      headers: { 'x-api-key': 'rk_sandbox_way_of_an_invoice' },
    });
    const { data } = (await answer.json()) as { data: Record<string, unknown>[] };
    all.push(...data);
    if (data.length < 100) return all;
  }
}
