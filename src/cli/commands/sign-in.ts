import { type Command, Option } from 'commander';
import type { Does } from './does.ts';

/** Sign-in of a person at the pages. */
export function addSignIn(root: Command, does: Does): void {
  root
    .command('sign-in')
    .description('make a one-time code for the pages; it is good for five minutes')
    .addOption(
      new Option('--role <role>', 'what the person may do')
        .choices(['staff', 'lead', 'ops'])
        .default('staff'),
    )
    .addHelpText(
      'after',
      `
Roles, each with all that those before it may:
  staff  take payments, cancel, print, answer open questions
  lead   refund, void, end of day
  ops    terminals, integrations, settings

Example:
  tillctl sign-in --role lead`,
    )
    .action(does(async () => (await import('../verbs/sign-in.ts')).signIn));
}
