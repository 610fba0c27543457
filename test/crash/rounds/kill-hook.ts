import { writeSync } from 'node:fs';
import { Database } from '../../../src/store/database.ts';
import { CommitWatch } from './commit-watch.ts';
import { COMMITS_FD, KILL_ORDER, readKillOrder } from './kill-order.ts';

/**
 * A preload (`node --import …/kill-hook.ts src/main.ts`) that stands around the one door to the money database: it tells every outermost
 * commit by name on descriptor 3, and kills its own process right before or right after the one that it was told. The product knows
 * nothing of it. The process also dies when its standard input ends: nobody is left behind when the runner dies.
 */
const die = () => void process.kill(process.pid, 'SIGKILL');
const watch = new CommitWatch({
  order: readKillOrder(process.env[KILL_ORDER]),
  report: (line) => void writeSync(COMMITS_FD, line),
  die,
});

const { transaction, run } = Database.prototype;
Database.prototype.transaction = function <T>(this: Database, work: () => T): T {
  return watch.transaction(this, work, (all) => transaction.call(this, all) as T);
};
Database.prototype.run = function (sql, ...values) {
  return watch.run(this, { sql, values }, () => run.call(this, sql, ...values));
};
const { open } = Database;
Database.open = (path, migrations, appVersion) => {
  const { watched, opened } = watch.migrations(migrations);
  const database = open(path, watched, appVersion);
  opened();
  return database;
};

process.stdin.on('end', die).resume().unref();
