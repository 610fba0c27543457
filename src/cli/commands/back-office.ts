import type { Command } from 'commander';
import { type Does, named, wholeNumber } from './does.ts';

/** Commands at a terminal beside payments. */
export function addBackOffice(root: Command, does: Does): void {
  root
    .command('end-of-day')
    .description('close the day of a terminal and wait for the outcome; exits 1 where the sums differ')
    .argument('<device>', 'id or name of the device')
    .option(
      '--force',
      'close the day although a payment is in doubt: the terminal may forget what it knows of it',
    )
    .option('--by <name>', 'with --force: who decides')
    .option('--reason <text>', 'with --force: why')
    .option('--no-wait', 'end as soon as it is accepted')
    .option('--timeout <seconds>', 'how long to wait while tilld is away', wholeNumber(1, 3600), 150)
    .action(does(async () => (await import('../verbs/end-of-day.ts')).endOfDay, named('device')));
  root
    .command('reconcile')
    .description('compare the journal of a terminal with the books; exits 1 where they differ')
    .argument('<device>', 'id or name of the device')
    .action(does(async () => (await import('../verbs/reconcile.ts')).reconcile, named('device')));
  root
    .command('reprint')
    .description('have a terminal repeat its last receipt, to compare; decides nothing')
    .argument('<device>', 'id or name of the device')
    .action(does(async () => (await import('../verbs/reprint.ts')).reprint, named('device')));
  addDevices(root, does);
  addDrain(root, does);
  root
    .command('tasks')
    .description('list the tasks that wait for a person, oldest first')
    .option('--all', 'also what is done')
    .action(does(async () => (await import('../verbs/tasks.ts')).tasks));
  root
    .command('task-done')
    .description('report a task done')
    .argument('<id>', 'id of the task')
    .requiredOption('--by <name>', 'who did it')
    .requiredOption('--note <text>', 'what came of it')
    .action(does(async () => (await import('../verbs/task-done.ts')).taskDone, named('id')));
  root
    .command('task-perform')
    .description('do what an operator of the fleet asks for')
    .argument('<id>', 'id of the task')
    .requiredOption('--by <name>', 'who does it')
    .option('--reason <text>', 'why a report is discarded')
    .action(does(async () => (await import('../verbs/fleet-task.ts')).taskPerform, named('id')));
  root
    .command('task-decline')
    .description('decline what an operator of the fleet asks for')
    .argument('<id>', 'id of the task')
    .requiredOption('--by <name>', 'who declines it')
    .requiredOption('--reason <text>', 'why, for the operator')
    .action(does(async () => (await import('../verbs/fleet-task.ts')).taskDecline, named('id')));
}

function addDevices(root: Command, does: Does): void {
  const devices = root
    .command('devices')
    .description(
      'list the terminals; show or adopt one; pair and withdraw browsers on which people sign in with a PIN',
    )
    .action(does(async () => (await import('../verbs/devices.ts')).devices));
  devices
    .command('show')
    .description(
      'a terminal: what it is, when it was connected, and how its payments went in the last seven days',
    )
    .argument('<device>', 'id or name of the device')
    .action(does(async () => (await import('../verbs/devices-show.ts')).devicesShow, named('device')));
  devices
    .command('pair')
    .description('make a code that pairs one browser of the shop; it is good for five minutes')
    .action(does(async () => (await import('../verbs/paired-devices.ts')).devicesPair));
  devices
    .command('paired')
    .description('the paired browsers, and those that were withdrawn')
    .action(does(async () => (await import('../verbs/paired-devices.ts')).devicesPaired));
  devices
    .command('withdraw')
    .description('withdraw a paired browser at once and for good: no PIN works there any more')
    .argument('<browser>', 'name or id')
    .action(does(async () => (await import('../verbs/paired-devices.ts')).devicesWithdraw, named('device')));
  devices
    .command('adopt')
    .description('let the terminal that answers now serve this device from now on')
    .argument('<device>', 'id or name of the device')
    .requiredOption('--by <name>', 'who looked at the terminal and decides')
    .action(does(async () => (await import('../verbs/devices-adopt.ts')).devicesAdopt, named('device')));
}

function addDrain(root: Command, does: Does): void {
  root
    .command('drain')
    .description('begin nothing new at any terminal while what runs goes on, as before a restart')
    .option('--wait', 'keep it up until every terminal is idle; exits 6 and ends it if that takes too long')
    .option('--within <seconds>', 'with --wait: how long that may take', wholeNumber(0, 3600), 600)
    .option('--for <seconds>', 'it ends by itself this long after the command', wholeNumber(1, 900), 60)
    .option('--end', 'end it: payments are taken again')
    .action(does(async () => (await import('../verbs/drain.ts')).drain));
}
