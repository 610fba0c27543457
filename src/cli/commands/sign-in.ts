import { type Command, Option } from 'commander';
import type { Does } from './does.ts';

/** Sign-in of a person at the pages. */
export function addSignIn(root: Command, does: Does): void {
  root
    .command('sign-in')
    .description('create a one-time code for the pages, valid for five minutes')
    .addOption(
      new Option('--role <role>', 'what the person may do')
        .choices(['staff', 'lead', 'ops'])
        .default('staff'),
    )
    .option('--person <name>', 'a person of the shop (tillctl people), in their own role')
    .addHelpText(
      'after',
      `
Roles, each with all that those before it may:
  staff  take payments, cancel, print, answer open questions
  lead   refund, void, end of day
  ops    terminals, integrations, settings

A person in the list of tillctl people signs in under their name. A code of a role alone names no person; decisions about
money take it only as long as there is no person.`,
    )
    .action(does(async () => (await import('../verbs/sign-in.ts')).signIn));
}
