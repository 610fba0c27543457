import type { Clock } from '../../../src/base/clock.ts';
import { silentLog } from '../../../src/base/log.ts';
import { type CommandRecord, CommandRecords } from '../../../src/fleet/agent/command-records.ts';
import { CommandTasks, type Stand } from '../../../src/fleet/agent/command-tasks.ts';
import { Commands, type DoCommand } from '../../../src/fleet/agent/commands.ts';
import type { BooksCommand } from '../../../src/fleet/contract/command.ts';

export interface Asked {
  readonly run: DoCommand;
  readonly kept?: readonly CommandRecord[];
  readonly clock: Clock;
}

/** A shop's table of commands and its tasks, on a file and on books that a test sets. */
export function commandsOf({ run, kept = [], clock }: Asked) {
  const file = { records: kept, isFull: false };
  const books = { standOf: (_command: BooksCommand): Stand => ({ kind: 'open' }) };
  const ended: string[] = [];
  const log = {
    read: () => file.records,
    keep: (records: readonly CommandRecord[]) => {
      if (file.isFull) throw new Error('the disk is full');
      // As a file would hold it.
      file.records = JSON.parse(JSON.stringify(records));
    },
  };
  const records = new CommandRecords(log, silentLog);
  const tasks = new CommandTasks({
    ...{ records, clock, words: silentLog },
    books: { standOf: (command) => books.standOf(command) },
    ended: () => ended.push('ended'),
  });
  return { commands: new Commands({ records, tasks, run, clock }), records, tasks, file, books, ended };
}
