import { type Command, Option } from 'commander';
import { type Does, named } from './does.ts';

/** The named people of the shop. */
export function addPeople(root: Command, does: Does): void {
  const people = root
    .command('people')
    .description('add, list and disable the people who sign in and decide under their names');
  people
    .command('add')
    .description('add a person; from the first one on, every decision about money carries a name')
    .argument('<name>', 'the name as the books show it')
    .addOption(
      new Option('--role <role>', 'what they may do').choices(['staff', 'lead', 'ops']).default('staff'),
    )
    .option('--user <user>', 'their user on this machine, by which tillctl recognises them')
    .action(does(async () => (await import('../verbs/people.ts')).peopleAdd, named('name')));
  people
    .command('list')
    .description('who may sign in, and who may not any more')
    .action(does(async () => (await import('../verbs/people.ts')).peopleList));
  people
    .command('disable')
    .description('end the sign-in of a person at once and for good; their decisions keep their name')
    .argument('<person>', 'name or id')
    .action(does(async () => (await import('../verbs/people.ts')).peopleDisable, named('person')));
  people
    .command('audit')
    .description('what was done to people and API keys, by whom and from where, newest first')
    .action(does(async () => (await import('../verbs/people.ts')).peopleAudit));
}
