import type { Money } from '../../src/agent/money.ts';
import type { Attempt } from '../../src/payment/attempt/attempt.ts';
import type { Settlement } from '../../src/payment/batch/settlement.ts';
import type { Task } from '../../src/payment/tasks/task.ts';
import type { RunLedger } from './books.ts';
import type { Trace } from './trace.ts';

/** Who commits: it may crash before or after a commit, and once it is dead nothing of it reaches the disk. */
export interface Committer {
  readonly dead: boolean;
  commit(side: 'before' | 'after'): void;
}

/** What a commit writes to. */
export interface CommittedTo {
  mustWrite(): void;
  /** Called within a commit that says a terminal has approved. */
  sync(): number;
}

/**
 * Puts the judge and the crash points between the core and its database: every transaction, and every change outside of one,
 * is a commit. The stores and the database stay the real ones.
 */
export function watchedStore(
  money: Money,
  agent: Committer,
  disk: CommittedTo,
  books: RunLedger,
  trace: Trace,
): void {
  const { database, payments } = money;
  let depth = 0;
  let changed: Attempt[] = [];
  let tasks: Task[] = [];
  let settlements: Settlement[] = [];
  const mustLive = () => {
    if (agent.dead) throw new Error('the agent has crashed');
  };
  const commit = <T>(work: () => T): T => {
    mustLive();
    if (depth > 0) return work();
    agent.commit('before');
    disk.mustWrite();
    changed = [];
    tasks = [];
    settlements = [];
    depth += 1;
    let result: T;
    try {
      result = work();
    } finally {
      depth -= 1;
    }
    const approved = changed.find(
      ({ id, state }) => state.name === 'approved' && books.attempts.get(id)?.state.name !== 'approved',
    );
    const stalledMs = approved ? disk.sync() : 0;
    if (approved && stalledMs > 0) {
      trace.say('FAULT', 'the commit of an approval has stalled');
      books.stalled(approved, stalledMs);
    }
    books.committed({ attempts: changed, tasks, settlements });
    agent.commit('after');
    return result;
  };
  const { transaction, run, get, all } = bound(database);
  database.transaction = (work) => commit(() => transaction(work));
  database.run = (sql, ...values) => commit(() => run(sql, ...values));
  database.get = (sql, ...values) => {
    mustLive();
    return get(sql, ...values);
  };
  database.all = (sql, ...values) => {
    mustLive();
    return all(sql, ...values);
  };
  const insert = payments.insertAttempt.bind(payments);
  const update = payments.updateAttempt.bind(payments);
  const journal = payments.appendJournal.bind(payments);
  payments.insertAttempt = (attempt) => {
    insert(attempt);
    changed.push(attempt);
  };
  payments.updateAttempt = (attempt) => {
    update(attempt);
    changed.push(attempt);
  };
  const { insertTask, insertSettlement, updateSettlement } = papers(payments);
  payments.insertTask = (task) => {
    const isNew = insertTask(task);
    if (isNew) tasks.push(task);
    return isNew;
  };
  payments.insertSettlement = (settlement) => {
    insertSettlement(settlement);
    settlements.push(settlement);
  };
  payments.updateSettlement = (settlement) => {
    updateSettlement(settlement);
    settlements.push(settlement);
  };
  payments.appendJournal = (entry) => {
    journal(entry);
    trace.say('books', () => {
      const { frames: _, ...details } = entry.details;
      const facts = JSON.stringify(details).slice(0, 300);
      return `${books.nameOf(entry.attemptId)} ${entry.from} → ${entry.to} (${entry.event}) ${facts}`;
    });
  };
}

function bound(database: Money['database']) {
  return {
    transaction: database.transaction.bind(database),
    run: database.run.bind(database),
    get: database.get.bind(database),
    all: database.all.bind(database),
  };
}

function papers(payments: Money['payments']) {
  return {
    insertTask: payments.insertTask.bind(payments),
    insertSettlement: payments.insertSettlement.bind(payments),
    updateSettlement: payments.updateSettlement.bind(payments),
  };
}
