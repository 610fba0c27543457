import type { Command } from 'commander';
import { type Does, named, wholeNumber } from './does.ts';

/** Reports that the service has not received. */
export function addOutbox(root: Command, does: Does): void {
  const outbox = root
    .command('outbox')
    .description('list, retry and drop reports that the service has not received');
  outbox
    .command('list', { isDefault: true })
    .description('the reports that wait or are parked, oldest first')
    .option('--status <status>', 'only these: pending, held, parked, dropped')
    .option('--limit <n>', 'at most this many, 1 to 100', wholeNumber(1, 100), 20)
    .action(does(async () => (await import('../verbs/outbox-list.ts')).outboxList));
  outbox
    .command('retry')
    .description('try a parked report again, under its own key')
    .argument('<id>', 'id of the report')
    .option('--by <name>', 'who decides')
    .action(does(async () => (await import('../verbs/outbox-decide.ts')).outboxRetry, named('id')));
  outbox
    .command('drop')
    .description('give a parked report up, and what waits behind it; nothing is deleted')
    .argument('<id>', 'id of the report')
    .requiredOption('--reason <text>', 'why the service does not need it')
    .option('--by <name>', 'who decides')
    .action(does(async () => (await import('../verbs/outbox-decide.ts')).outboxDrop, named('id')));
}
