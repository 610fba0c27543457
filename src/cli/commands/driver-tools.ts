import { type Command, Option } from 'commander';
import { PACKAGE_KINDS } from '../offline/driver-new/kinds.ts';
import { collect, type Does, named, wholeNumber } from './does.ts';

/** Tools to try or to write a driver; no daemon is needed. */
export function addDriverTools(root: Command, does: Does): void {
  root
    .command('simulate-terminal')
    .description('run a virtual terminal that speaks real bytes, with keys for the customer and for faults')
    .requiredOption('--protocol <protocol>', 'what it speaks, like zvt')
    .requiredOption('--listen <where>', 'tcp:PORT on this machine (0: any), tcp:HOST:PORT, pty, or pty:PATH')
    .option('--currency <code>', 'currency of its amounts (default: EUR)')
    .option('--serial <hex>', 'serial number, 8 hex digits (default: 17F00001)')
    .option('--terminal-id <digits>', 'terminal id, 8 digits (default: 52500038)')
    .option(
      '--autopilot <key>',
      'what the customer does by itself: approve, decline, wrong_pin, abort, walk_away; off waits for a key ' +
        '(default: off with a keyboard, else approve)',
    )
    .option('--autopilot-ms <ms>', 'how long the customer takes (default: 1000)', wholeNumber(0, 600_000))
    .option(
      '--tip-percent <percent>',
      'what a customer who is asked for a tip adds (default: 10)',
      wholeNumber(0, 100),
    )
    .option(
      '--missing-acknowledgement <what>',
      'what becomes of an approval that is not acknowledged: keep, reverse, decline (default: keep)',
    )
    .option('--ledger <file>', 'remember what was charged in this file (default: forget it at the end)')
    .option('--fault <WHEN:DO[:MS]>', 'a fault to come, like result:cut; repeat for more', collect)
    .option('--option <name=value>', 'a habit of its family, like customer_timeout_ms=5000', collect)
    .option('--beyond-loopback', 'let other machines in, too (tcp:HOST:PORT)')
    .option('--no-keys', 'do not read the input')
    .option('--end-with-input', 'end when the input ends (else only SIGINT, SIGTERM or quit end it)')
    .action(does(async () => (await import('../offline/simulate-terminal.ts')).simulateTerminal));
  root
    .command('driver')
    .description('start a driver for a terminal')
    .command('new')
    .description(
      'begin a driver: one that works, with a made-up protocol, its virtual terminal and its tests',
    )
    .argument('<name>', 'small letters and digits; the word in the config')
    .addOption(
      new Option(
        '--kind <kind>',
        'a package of its own in the folder NAME: a connection for each request (JSON over HTTP), frames between STX and ETX, or lines of text and any framing of your own (default: a driver of the source tree)',
      ).choices(PACKAGE_KINDS),
    )
    .action(does(async () => (await import('../offline/driver-new.ts')).driverNew, named('name')));
}
