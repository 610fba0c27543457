import type { Command } from 'commander';
import { type Does, named } from './does.ts';

/** What needs no daemon. */
export function addOffline(root: Command, does: Does): void {
  root
    .command('decode')
    .description('recorded bytes of a terminal as JSON; needs no daemon')
    .requiredOption('--protocol <protocol>', 'protocol of the bytes, like zvt')
    .option('--layer <layer>', 'frame, apdu, message or stream (default: found out)')
    .option('--context <hex>', 'the request that the bytes answer')
    .argument('<hex...>', 'the bytes; - reads one HEX per line from standard input')
    .action(does(async () => (await import('../offline/decode.ts')).decode, named('hex')));
  root
    .command('config')
    .description('the configuration file')
    .command('check')
    .description('check a configuration file; needs no daemon')
    .argument('[file]', 'default: ./tilld.jsonc, /etc/tilld/tilld.jsonc, then the demo')
    .action(does(async () => (await import('../offline/config-check.ts')).configCheck, named('file')));
}
