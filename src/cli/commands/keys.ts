import type { Command } from 'commander';
import { collect, type Does, wholeNumber } from './does.ts';

/** API keys of the local interface. */
export function addKeys(root: Command, does: Does): void {
  root
    .command('keys')
    .description('API keys of the local interface')
    .command('create')
    .description('make a key; it is shown once')
    .option('--name <name>', 'what it is for', 'till')
    .requiredOption('--scope <scope>', 'what it may do; repeat for more', collect)
    .option('--allow <cidr>', 'address or range it may be used from; repeat for more', collect)
    .option('--expires <days>', 'days until it ends', wholeNumber(1, 3650))
    .action(does(async () => (await import('../verbs/keys-create.ts')).keysCreate));
}
