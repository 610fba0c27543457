import { Argument, type Command } from 'commander';
import type { GlobalOptions, Io } from '../io.ts';

const SHELLS = ['bash', 'zsh', 'fish'] as const;

/**
 * Shell completion: `completion SHELL` prints the shell's script, which calls the hidden `complete` at each key press.
 * @param words builds the commands anew: the library adds its own to those that it reads
 */
export function addCompletion(root: Command, words: () => Command, io: Io): void {
  root
    .command('completion')
    .description('print a script that makes a shell complete the words of tillctl')
    .addArgument(new Argument('<shell>', 'for which shell').choices(SHELLS))
    .action(async (shell: string) => {
      const { default: tab } = await import('@bomb.sh/tab');
      tab.setup('tillctl', 'tillctl', shell);
    });
  root
    .command('complete', { hidden: true })
    .argument('[words...]')
    .allowUnknownOption()
    .helpOption(false)
    .action(async (typed: readonly string[]) => {
      const { default: tab } = await import('@bomb.sh/tab/commander');
      const { completeNames } = await import('../complete-names.ts');
      const completion = tab(words());
      await completeNames(completion, typed, root.opts<GlobalOptions>(), io);
      completion.parse([...typed]);
    });
}
