import type { Command } from 'commander';
import { type Does, named, wholeNumber } from './does.ts';

/** Read-only commands. */
export function addLooking(root: Command, does: Does): void {
  root
    .command('status')
    .description('what can sell, report, and is fresh')
    .action(does(async () => (await import('../verbs/status.ts')).status));
  root
    .command('payments')
    .description('payments, newest first')
    .option('--status <status>', 'only these: requested, in_progress, succeeded, declined, cancelled, error')
    .option('--in-doubt', 'only those of which it is not known yet whether the customer was charged')
    .option('--limit <n>', 'at most this many, 1 to 100', wholeNumber(1, 100), 20)
    .action(does(async () => (await import('../verbs/payments.ts')).payments));
  root
    .command('explain')
    .description('the whole story of one payment')
    .argument('<id>', 'id of the payment')
    .action(does(async () => (await import('../verbs/explain.ts')).explain, named('id')));
}
