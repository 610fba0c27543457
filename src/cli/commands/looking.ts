import type { Command } from 'commander';
import { type Does, named, wholeNumber } from './does.ts';

/** Read-only commands. */
export function addLooking(root: Command, does: Does): void {
  root
    .command('status')
    .description('show whether tilld can sell, can report to the service, and is up to date')
    .action(does(async () => (await import('../verbs/status.ts')).status));
  root
    .command('payments')
    .description('list payments, newest first')
    .option('--status <status>', 'only these: requested, in_progress, succeeded, declined, cancelled, error')
    .option('--terminal, --device <device>', 'only those at this terminal; its id or name')
    .option('--on <day>', 'only those of a day of the shop: 2026-11-25, today, yesterday')
    .option(
      '--amount <amount>',
      'only those of this amount, as requested or as charged with a tip, like 12.34',
    )
    .option('--card <digits>', 'only those with a card that ends with these four digits')
    .option('--receipt <number>', "only those with this number on the terminal's receipt")
    .option(
      '--reference <text>',
      'only those under this reference; the whole of it, in capital or small letters',
    )
    .option('--invoice <invoice>', 'only those of this invoice; its number or id')
    .option('--contains <text>', 'only those with this text in the reference or the invoice number')
    .option('--in-doubt', 'only those of which it is not known yet whether the customer was charged')
    .option('--limit <n>', 'at most this many, 1 to 100', wholeNumber(1, 100), 20)
    .action(does(async () => (await import('../verbs/payments.ts')).payments));
  const report = root.command('report').description('what the shop has taken');
  report
    .command('day')
    .description('the takings of a day per terminal, card scheme and hour, beside the week before')
    .argument('[day]', "YYYY-MM-DD, today or yesterday, in the shop's time zone", 'today')
    .option('--csv', 'as CSV, for a spreadsheet')
    .action(does(async () => (await import('../verbs/report-day.ts')).reportDay, named('day')));
  root
    .command('mirror')
    .description("list the local copies of the billing service's lists, also while the shop is offline")
    .argument(
      '[list]',
      'one of the lists, like customers; without it all are listed with their rows and their age',
    )
    .option('--search <text>', 'only records that have a word beginning with each of these')
    .option('--limit <n>', 'at most this many, 1 to 100', wholeNumber(1, 100), 20)
    .action(does(async () => (await import('../verbs/mirror.ts')).mirror, named('list')));
  root
    .command('explain')
    .description('show the timeline of a payment: states, decisions, frames, reports')
    .argument('<id>', 'id of the payment')
    .action(does(async () => (await import('../verbs/explain.ts')).explain, named('id')));
}
