import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { EXIT } from '../../../src/cli/exit-code.ts';
import type { Io } from '../../../src/cli/io.ts';
import { commands } from '../../../src/cli/program.ts';
import { command } from './command-line.ts';

const NOWHERE: Io = {
  out: () => undefined,
  err: () => undefined,
  env: {},
  cwd: '/nonexistent',
  input: (async function* () {})(),
  onInterrupt: () => () => undefined,
};
const GROUPS = ['Payments', 'Terminals', 'Integrations', 'Service', 'Operations', 'Tools'];

/** Every verb that does something by itself, as its path. */
function leaves(above: Command = words(), path: readonly string[] = []): readonly (readonly string[])[] {
  return above.commands
    .filter((verb) => !['read-pages'].includes(verb.name()))
    .flatMap((verb) => {
      const own = [...path, verb.name()];
      return verb.commands.length > 0 ? leaves(verb, own) : [own];
    });
}

function words(): Command {
  return commands(NOWHERE, () => undefined);
}

/** A command line as a shell takes it apart. */
function taken(line: string): readonly string[] {
  const [before = ''] = line.split(' > ');
  return [...before.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? '');
}

/** The same words with verbs that do nothing. @throws where a word is unknown or lacks */
async function parse(line: readonly string[]): Promise<void> {
  const root = words();
  const still = (verb: Command): void => {
    verb.exitOverride().configureOutput({ writeErr: () => undefined });
    if (verb.commands.length === 0) verb.action(() => undefined);
    verb.commands.forEach(still);
  };
  root.commands.forEach(still);
  await root.parseAsync([...line], { from: 'user' });
}

describe('the help of tillctl', () => {
  it('groups every verb', async () => {
    const { out, exit } = await command(['--help']);
    expect(exit).toBe(EXIT.done);
    const headings = [...out.matchAll(/^([A-Z]\w+):$/gm)].map(([, heading]) => heading);
    expect(headings).toEqual(['Options', ...GROUPS]);
  });

  it.each(leaves().map((path) => [path.join(' '), path] as const))(
    'of %s has an example that tillctl takes',
    async (name, path) => {
      const { out, exit } = await command([...path, '--help']);
      expect(exit).toBe(EXIT.done);
      const lines = [...out.matchAll(/^ {2}tillctl (.+)$/gm)].map(([, line = '']) => line);
      expect(lines.filter((line) => line.startsWith(name))).not.toEqual([]);
      for (const line of lines) await parse(taken(line));
    },
  );

  it('would be found out if an example were wrong', async () => {
    await expect(parse(taken('pay --device "Counter 1" --sum 5'))).rejects.toThrow('unknown option');
    await expect(parse(taken('refund'))).rejects.toThrow('missing required argument');
  });
});
