import { type Command, Option } from 'commander';
import { type Does, named } from './does.ts';

/** Commands that need no daemon. */
export function addOffline(root: Command, does: Does): void {
  root
    .command('decode')
    .description('decode recorded bytes of a terminal to JSON; needs no daemon')
    .requiredOption('--protocol <protocol>', 'protocol of the bytes, like zvt')
    .option('--layer <layer>', 'frame, apdu, message or stream (default: found out)')
    .option('--context <hex>', 'the request that the bytes answer')
    .argument('<hex...>', 'the bytes; - reads one HEX per line from standard input')
    .action(does(async () => (await import('../offline/decode.ts')).decode, named('hex')));
  root
    .command('config')
    .description('check the configuration file')
    .command('check')
    .description('check a configuration file; needs no daemon')
    .argument('[file]', 'default: ./tilld.jsonc, /etc/tilld/tilld.jsonc, then the demo')
    .addOption(packagesFolder())
    .action(does(async () => (await import('../offline/config-check.ts')).configCheck, named('file')));
  root
    .command('drivers')
    .description('the drivers that a device can name, and what their terminals can do; needs no daemon')
    .argument('[driver]', 'all of one')
    .option('--config <file>', 'default: ./tilld.jsonc, /etc/tilld/tilld.jsonc, then the demo')
    .addOption(packagesFolder())
    .action(does(async () => (await import('../offline/drivers.ts')).drivers, named('driver')));
}

/** As the option of tilld. */
function packagesFolder(): Option {
  return new Option(
    '--driver-packages <folder>',
    'where driver packages are installed (default: beside the program)',
  );
}

/** From the package to the first sale. */
export function addSetup(root: Command, does: Does): void {
  root
    .command('setup')
    .description(
      'find the terminal, write the configuration, take a first payment; asks for what no option says',
    )
    .option('--config <file>', 'default: /etc/tilld/tilld.jsonc')
    .option('--environment <environment>', 'live or sandbox')
    .option('--language <language>', 'of the pages: en, de or fr')
    .option(
      '--terminal <place>',
      'address like 192.168.1.20[:PORT], a serial port, or search; then there is no other one',
    )
    .option('--driver <driver>', 'protocol of the terminal')
    .option('--name <name>', 'what staff call the place')
    .option('--currency <code>', 'like EUR')
    .option('--service-url <url>', 'address of the billing service; "" for none')
    .option('--service-key-file <file>', 'file that holds its API key; "" for later')
    .option('--lan <name>', 'name at which tablets of the shop are served; "" for none')
    .option('--person <name>', 'the first person; "" for none')
    .option('--test-amount <amount>', 'amount of a first payment; "" for none')
    .action(does(async () => (await import('../offline/setup.ts')).setup));
}

/** Commands that maintain a shop's database; each finds the state folder as tilld does. */
export function addBooks(root: Command, does: Does): void {
  ofFolder(
    root
      .command('doctor')
      .description('check everything tilld needs, change nothing; exits 1 if something fails')
      .option(
        '--offline',
        'ask neither tilld nor the service; prove that the shop could sell for a month without the service',
      )
      .option('--full', 'read all of the journal, every index and every reference'),
  ).action(does(async () => (await import('../offline/doctor.ts')).doctor));
  ofFolder(
    root
      .command('backup')
      .description('write a verified backup of the databases, also while tilld runs; no credential is in it')
      .argument('<file>', 'where it goes; best on another disk')
      .option('--force', 'put it in the place of an older file')
      .option('--broken-journal', 'although the chain of the journal is broken (see doctor)'),
  ).action(does(async () => (await import('../offline/backup.ts')).backup, named('file')));
  ofFolder(
    root
      .command('support-bundle')
      .description('collect what support needs in one file: no keys, no card data; needs no daemon')
      .argument('<file>', 'where it goes, like tilld-support.tar.gz')
      .option(
        '--log <file>',
        'log to take the newest lines from (default: log.file, else the journal of systemd)',
      ),
  ).action(does(async () => (await import('../offline/support-bundle.ts')).supportBundle, named('file')));
  ofFolder(
    root
      .command('restore')
      .description('restore a backup; tilld must be stopped; the databases from before are kept')
      .argument('<file>', 'a file that tillctl backup made')
      .option('--broken-journal', 'although the chain of its journal is broken'),
  ).action(does(async () => (await import('../offline/restore.ts')).restore, named('file')));
  ofFolder(
    root
      .command('release-fits')
      .description('check whether another release of tilld can write the databases, as before a downgrade')
      .argument('<release>', 'like 0.2.0'),
  ).action(does(async () => (await import('../offline/release-fits.ts')).releaseFits, named('release')));
}

/** Commands for tilld itself; not in the help or the manual. */
export function addBeside(root: Command, does: Does): void {
  root
    .command('read-pages', { hidden: true })
    .argument('<file>')
    .action(does(async () => (await import('../offline/read-pages.ts')).scanPages, named('file')));
}

function ofFolder(command: Command): Command {
  return command
    .option('--state-dir <dir>', 'the state folder (default: what the configuration says)')
    .option(
      '--config <file>',
      'the configuration (default: ./tilld.jsonc, /etc/tilld/tilld.jsonc, then the demo)',
    );
}
