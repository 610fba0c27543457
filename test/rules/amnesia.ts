import type { Section } from './rule.ts';

const READY = 'scenario/a-terminal-that-is-not-ready > %s (%s) is to be mended by: %s';

/** A memory that was lost, the ready table, and what is stored beside the outcome. */
export const AMNESIA: Section = {
  title: 'Amnesia, ready table, also stored',
  rules: [
    {
      id: 'amnesia/epoch',
      text: 'The epoch in the database and in the file beside it tell a fresh, an older and a foreign memory.',
      tests: [
        'unit/store/epoch > is fresh when the database is gone and the note is there',
        'unit/store/epoch > is older when a backup of the same memory was restored',
        'unit/store/epoch > is foreign when a backup was restored and has gone on by itself',
        'unit/store/epoch > is foreign when the database is that of another shop, or the note is gone',
        'unit/store/epoch > of a new shop is new, and the same ever after, however much was written since',
      ],
    },
    {
      id: 'amnesia/witnesses',
      text: 'Witnesses that a copy of the state folder does not carry are compared at every start and after each interruption of the line.',
      tests: [
        'unit/payment/database-identity > is that of a copy (%s) when one witness differs, whatever the others say',
        'unit/agent/state-identity > is an older one when a copy of the whole folder was put back, and says so once',
        'unit/agent/state-identity > is a copy on %s, gets an instance of its own there, and is itself from then on',
        'unit/service/poller > before the first claim: each payment that it reported is named to the core with its age',
        'scenario/a-copy-of-the-database > asks once before the next sale, charges nothing meanwhile, and sells on when a person has compared',
        'reproductions/07-an-old-copy-of-the-state-folder > a state folder that was put back as a whole from an older copy does not sell before somebody has compared',
      ],
    },
    {
      id: 'amnesia/instance',
      text: 'A claim carries the instance of machine and folder: two copies of one folder do not both own a work item.',
      tests: [
        'unit/service/poller > claims under the name of the agent and of the machine and folder that it runs on',
        'reproductions/08-one-state-folder-on-two-machines > work of the service runs once, though two machines have a copy of the same state folder',
      ],
    },
    {
      id: 'amnesia/refunds-of-the-service',
      text: 'Refunds and voids of the service are work like any other.',
      tests: [
        'scenario/a-copy-of-the-database > keeps a %s of the service for a sale from before from being sent',
        'reproductions/09-a-refund-of-the-service-after-a-restore > after a restore the service gets no refund of an older sale before somebody has compared',
      ],
    },
    {
      id: 'amnesia/shown',
      text: "Each terminal's last transaction is read and shown before the first sale.",
      tests: [
        "scenario/a-restored-database > the terminal's last transaction is read and shown before the first sale goes to it",
        'unit/payment/memory > %# shows what the terminal shows, and says not to charge again what was paid',
      ],
    },
    {
      id: 'amnesia/older-work',
      text: 'Work that is older than the memory is in doubt: never run, never reported cancelled.',
      tests: [
        'scenario/a-restored-database > work of the service that is older than the memory is in doubt: never run, never reported cancelled',
        'scenario/a-restored-database > a request that waited in a restored database is in doubt: never run, never reported cancelled',
        'unit/payment/memory > work that was asked for before our memory began > %s',
      ],
    },
    {
      id: 'amnesia/outbox',
      text: 'Every row that is owed is looked up first.',
      tests: [
        'unit/store/epoch > is looked up first, every row of it, when the memory is not the one that was here before',
      ],
    },
    {
      id: 'amnesia/asked-once',
      text: 'A sale asks once whether the basket was paid.',
      tests: [
        'scenario/a-restored-database > a sale is refused until somebody has compared, and asked for once',
        'unit/payment/memory > is asked once: it passes when the task is done',
      ],
    },
    {
      id: 'amnesia/drill',
      text: 'A restored backup charges nobody twice, and the shop sells on once somebody has compared.',
      tests: [
        'scenario/a-backup-and-restore > charges nobody twice: what was sold since is asked about, what was pending is looked up, and the shop sells on',
        'scenario/a-backup-and-restore > never runs again what the service asked for and a forgotten life has charged',
        'scenario/a-backup-and-restore > of another shop is found out, and asked about like any restored database',
      ],
    },
    {
      id: 'amnesia/tickets',
      text: 'Tickets of ours are kept for ever and only grow.',
      later: 'ZVT has no ticket of ours; comes with the families that do',
    },
    {
      id: 'ready/no-doubt',
      text: 'What a terminal needs before a sale makes no attempt in doubt: it waits, shown in words.',
      tests: [
        'scenario/a-terminal-that-is-not-ready > %s: nothing is sent, nobody is in doubt, and the request ends with the words',
      ],
    },
    {
      id: 'ready/close',
      text: 'End of day wanted, or the day open too long: a person, never a close of ours.',
      tests: [{ test: READY, row: "'F0', 'person'" }],
    },
    {
      id: 'ready/memory-full',
      text: 'Memory full: a person.',
      tests: [{ test: READY, row: "'B1', 'person'" }],
    },
    {
      id: 'ready/registration',
      text: 'Registration lost: mended once, then a person.',
      tests: [
        'drivers/zvt/session > registers once by itself, and then it is a person’s turn',
        'drivers/zvt/session > initialises once by itself, takes what is printed, and asks again',
      ],
    },
    { id: 'ready/clock', text: 'Clock wrong: a person.', tests: [{ test: READY, row: "'62', 'person'" }] },
    { id: 'ready/update', text: 'Update running: wait.', tests: [{ test: READY, row: "'E0', 'wait'" }] },
    { id: 'ready/paper', text: 'Paper out: a person.', tests: [{ test: READY, row: "'CC', 'person'" }] },
    {
      id: 'ready/card',
      text: 'A card in the reader: wait; left behind: a person.',
      tests: [
        { test: READY, row: "'DC', 'wait'" },
        { test: READY, row: "'E1', 'person'" },
      ],
    },
    { id: 'ready/keys', text: 'Keys to load: a person.', tests: [{ test: READY, row: "'F6', 'person'" }] },
    {
      id: 'ready/busy',
      text: 'Busy, also with another till: wait.',
      tests: [{ test: READY, row: "'9C', 'wait'" }],
    },
    {
      id: 'stored/online',
      text: 'Whether an approval was online is kept.',
      tests: [
        'drivers/zvt/report > reads entry mode, verification, application and the long trace from the container',
      ],
    },
    {
      id: 'stored/offline-list',
      text: 'Offline approvals are listed until they are settled.',
      tests: [
        'scenario/signed-and-offline > is an offline approval until its day is closed, and nobody has to do anything for it',
      ],
    },
    {
      id: 'stored/signature',
      text: 'A signature to check that nobody checked is listed, never a silent void.',
      tests: [
        'scenario/signed-and-offline > is never undone because nobody compares the signature: the question stays, also after the day',
      ],
    },
    {
      id: 'stored/receipts',
      text: 'Print commands are answered at once and their text is kept.',
      tests: [
        'drivers/zvt/sale > are kept by their type from text blocks, card numbers masked',
        'drivers/zvt/late-acknowledgement > is answered right after an approval that took nearly T3 to store',
      ],
    },
  ],
};
