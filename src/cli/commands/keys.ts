import type { Command } from 'commander';
import { collect, type Does, named, wholeNumber } from './does.ts';

/** API keys of the local API. */
export function addKeys(root: Command, does: Does): void {
  const keys = root
    .command('keys')
    .description('create, list, roll and revoke API keys of the local interface');
  keys
    .command('create')
    .description('make a key; it is shown once')
    .option('--name <name>', 'what it is for', 'till')
    .requiredOption('--scope <scope>', 'what it may do; repeat for more', collect)
    .option('--allow <cidr>', 'address or range it may be used from; repeat for more', collect)
    .option('--expires <days>', 'days until it ends', wholeNumber(1, 3650))
    .option('--by <name>', 'who does it, for the audit trail')
    .action(does(async () => (await import('../verbs/keys-create.ts')).keysCreate));
  keys
    .command('list')
    .description('the keys, newest first; never their secrets')
    .option('--status <status>', 'only these: active, expired, revoked')
    .option('--stale', 'only those that were not used for 90 days')
    .action(does(async () => (await import('../verbs/keys-list.ts')).keysList));
  addEnding(keys, does);
  keys
    .command('audit')
    .description('what was done to a key, and which person did it, newest first')
    .argument('<key>', 'id of the key, or its name where only one has it')
    .action(does(async () => (await import('../verbs/keys-audit.ts')).keysAudit, named('key')));
}

/** Commands that end one secret of a key, or all. */
function addEnding(keys: Command, does: Does): void {
  keys
    .command('roll')
    .description('give a key a new secret, shown once; the one before works on for a while')
    .argument('<key>', 'id of the key, or its name where only one has it')
    .option('--overlap <hours>', 'how long both work, 0 to 168', wholeNumber(0, 168), 24)
    .option('--by <name>', 'who does it, for the audit trail')
    .option('--idempotency-key <key>', 'the key of an earlier try: its answer again, never a second roll')
    .action(does(async () => (await import('../verbs/keys-roll.ts')).keysRoll, named('key')));
  keys
    .command('revoke')
    .description('end a key at once and for good')
    .argument('<key>', 'id of the key, or its name where only one has it')
    .option('--by <name>', 'who does it, for the audit trail')
    .action(does(async () => (await import('../verbs/keys-revoke.ts')).keysRevoke, named('key')));
}
