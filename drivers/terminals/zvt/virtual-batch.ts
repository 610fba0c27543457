import type { Dialogue } from './virtual-dialogue.ts';
import { closingReceipt } from './virtual-receipts.ts';
import { standingOf, sumOf, totalsInformation } from './virtual-status.ts';

const [CLOSE_IMPOSSIBLE, UPDATING] = [0x77, 0xe0];
/** Turnover totals are not a transaction. */
const NO_TRACE = '000000';

/** Turnover totals (`06 10`): the sums of the open batch, without paper. */
export async function sendTotals(dialogue: Dialogue): Promise<void> {
  const { ledger, clock } = dialogue.device;
  await dialogue.ask(totalsInformation(ledger.openBatch(), NO_TRACE, clock.now(), dialogue.status(true)));
  await dialogue.complete();
}

/**
 * End-of-Day (`06 50`). The batch is closed as soon as the host has it, whatever the till answers afterwards.
 * A fault for the moment `customer` applies before the terminal contacts the host.
 */
export async function closeTheDay(dialogue: Dialogue): Promise<void> {
  const { ledger, clock, faults } = dialogue.device;
  const ordered = faults.takeClose();
  await dialogue.reach('customer');
  await dialogue.progress(0x04, 'Kassenschnitt');
  await dialogue.host();
  if (ordered === 'refused') {
    await dialogue.reach('completion');
    return dialogue.fail(CLOSE_IMPOSSIBLE);
  }
  const batch = ledger.openBatch();
  const at = clock.now();
  ledger.closeBatch(dialogue.options);
  await dialogue.reach('result');
  await dialogue.ask(totalsInformation(batch, ledger.nextTrace(), at, dialogue.status(true)));
  await dialogue.reach('result_acknowledged');
  await printClosing(dialogue, batch, at);
  await dialogue.reach('completion');
  await dialogue.complete(ordered === 'updates' ? [0x27, UPDATING] : []);
}

async function printClosing(
  dialogue: Dialogue,
  batch: Parameters<typeof standingOf>[0],
  at: number,
): Promise<void> {
  const { currency, name } = dialogue.device.settings;
  const printing = dialogue.printing('admin');
  if (!printing) return;
  await dialogue.reach('print');
  const standing = standingOf(batch);
  await dialogue.print([closingReceipt(standing.length, sumOf(standing), currency, at, name)], printing);
}
