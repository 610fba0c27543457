import { readCommandLine } from '../../src/agent/command-line.ts';
import { commands } from '../../src/cli/program.ts';
import { commandLine } from '../../src/hub/command-line.ts';

/** Of either program: both are commander's. */
type Words = Pick<
  ReturnType<typeof commands>,
  'commands' | 'options' | 'name' | 'description' | 'registeredArguments'
>;

/** tillctl(1): every verb with what its own help says. */
export function tillctlPage(version: string): string {
  const root = commands(NOWHERE, () => undefined);
  return [
    `.TH TILLCTL 1 "" "tilld ${version}" "User Commands"`,
    '.SH NAME',
    'tillctl \\- takes card payments, shows them, and tells how tilld is',
    '.SH SYNOPSIS',
    '.B tillctl\n[\\fIoptions\\fR] \\fIcommand\\fR',
    '.SH DESCRIPTION',
    roff(root.description()),
    '.SH OPTIONS',
    ...optionsOf(root),
    '.SH COMMANDS',
    ...verbsOf(root, []),
    '.SH EXIT STATUS',
    roff(
      '0 done, 1 the outcome was no or a refusal, 2 usage or config, 3 no daemon, 4 outcome unknown, 5 interrupted (the payment goes on), 6 drain --wait: a terminal is not idle in time.',
    ),
    '.SH SEE ALSO',
    '.BR tilld (8)',
    '',
  ].join('\n');
}

/** tilld(8): the daemon's own help. */
export function tilldPage(version: string): string {
  const help = readCommandLine(['--help'], version);
  return [
    `.TH TILLD 8 "" "tilld ${version}" "System Administration"`,
    '.SH NAME',
    'tilld \\- the agent behind the counter, for card-present payments',
    '.SH SYNOPSIS',
    '.nf',
    roff(help.kind === 'print' ? help.text : ''),
    '.fi',
    '.SH FILES',
    ...FILES.flatMap(([path, words]) => ['.TP', `.I ${roff(path)}`, roff(words)]),
    '.SH SIGNALS',
    '.TP',
    '.B SIGTERM, SIGINT',
    roff(
      'Stops; a payment that runs gets 15 seconds to come to its end, and is recovered at the next start.',
    ),
    '.TP',
    '.B SIGHUP',
    roff('Under systemd: reads the configuration again; the log says what needs a restart.'),
    '.SH SEE ALSO',
    '.BR tillctl (1)',
    '',
  ].join('\n');
}

/** tillhub(8): every command with what its own help says. */
export function hubPage(version: string): string {
  const root = commandLine(version);
  return [
    `.TH TILLHUB 8 "" "tilld ${version}" "System Administration"`,
    '.SH NAME',
    'tillhub \\- many shops, one view: the hub of a fleet of tilld agents',
    '.SH SYNOPSIS',
    '.B tillhub\n\\fIcommand\\fR [\\fIoptions\\fR]',
    '.SH COMMANDS',
    ...verbsOf(root, []),
    '.SH FILES',
    '.TP',
    '.I /etc/tillhub/tillhub.env',
    roff(
      'the settings of the service and of this program: its PostgreSQL, where it listens, its certificate',
    ),
    '.SH SEE ALSO',
    roff('/usr/share/doc/tillhub/README.hub'),
    '',
  ].join('\n');
}

const FILES = [
  [
    '/etc/tilld/tilld.jsonc',
    'the configuration; every key is explained in /usr/share/tilld/tilld.example.jsonc',
  ],
  ['/etc/tilld/conf.d', 'defaults below it: those of the package, and of an operator of many shops'],
  ['/var/lib/tilld', 'the books and the socket'],
  ['/etc/credstore/tilld.service-key', 'the key of the billing service'],
] as const;

const NOWHERE = {
  out: () => undefined,
  err: () => undefined,
  env: {},
  cwd: '/',
  input: {
    async *[Symbol.asyncIterator]() {
      // Nothing is ever read.
    },
  },
  onInterrupt: () => () => undefined,
};

function verbsOf(command: Words, above: readonly string[]): readonly string[] {
  return command.commands.flatMap((verb) => {
    const path = [...above, verb.name()];
    const args = verb.registeredArguments.map((one) => {
      const name = `${one.name()}${one.variadic ? '...' : ''}`;
      return one.required ? `\\fI${roff(name)}\\fR` : `[\\fI${roff(name)}\\fR]`;
    });
    return [
      `.SS ${[roff(path.join(' ')), ...args].join(' ')}`,
      `${roff(verb.description())}.`,
      ...optionsOf(verb),
      ...verbsOf(verb, path),
    ];
  });
}

function optionsOf(command: Words): readonly string[] {
  return command.options
    .filter((option) => !option.hidden)
    .flatMap((option) => ['.TP', `.B ${roff(option.flags)}`, roff(option.description)]);
}

/** Text as roff prints it: hyphens that can be copied, no line that looks like a request. */
function roff(text: string): string {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^([.'])/gm, '\\&$1');
}
