import type { Section } from './rule.ts';

const TABLE = 'unit/payment/recovery-table > $title → $verdict';
const SUMS = "unit/payment/recovery-table > the sum of the terminal's day as a witness > %s";

/** Asking the terminal, in order, and the table of settle times. */
export const RECOVERY: Section = {
  title: 'Recovery',
  rules: [
    {
      id: 'recovery/first',
      text: 'Nothing else is done with a terminal before its doubt was asked for.',
      tests: [
        'scenario/not-charged-too-early > puts an attempt that was %s in doubt before anything else, and asks its terminal',
      ],
    },
    {
      id: 'recovery/no-early-no',
      text: '"Charged" may be said at once, "not charged" by nobody before the settle time.',
      tests: [
        'scenario/not-charged-too-early > is said by nobody before the terminal was idle for its settle time',
        'scenario/not-charged-too-early > is not waited for when the terminal has stored the charge',
        'scenario/a-person-decides > may not say "not charged" before the terminal was idle for its settle time, lead or not',
      ],
    },
    {
      id: 'recovery/empty-before',
      text: 'Of a terminal that was empty before, "charged" is said after the settle time: an approval that it takes back looks like a close.',
      tests: [
        'scenario/a-doubt-that-stays > is no "charged" of a terminal that was empty and takes back the approval that it showed',
        'scenario/a-doubt-that-stays > ends as charged on a terminal that was empty and still shows it after the settle time',
      ],
    },
    {
      id: 'recovery-1/identify',
      text: 'Another terminal gets no payment, and what it shows is no evidence.',
      tests: ['scenario/another-terminal > gets no payment, and its last transaction is no evidence'],
    },
    {
      id: 'recovery-2/idle',
      text: 'A transaction that runs is awaited, never overlaid and never aborted.',
      tests: [
        'scenario/a-terminal-that-reports-nothing > is awaited: nothing is sent over it and nothing aborts it',
      ],
    },
    {
      id: 'recovery-3a/reference',
      text: 'Our own reference in it makes it ours.',
      later: 'ZVT carries no reference of ours; comes with the families that do',
    },
    {
      id: 'recovery-3b/same',
      text: 'Equal to the mark in every field: nothing was stored since.',
      tests: [
        { test: TABLE, row: "title: 'equal to the mark'" },
        { test: TABLE, row: 'nothing stored, before and after' },
      ],
    },
    {
      id: 'recovery-3c/next',
      text: 'Exactly the next number, same kind and amount, inside the window: that outcome.',
      tests: [
        { test: TABLE, row: 'the next number, approved, same amount' },
        { test: TABLE, row: 'the number after 9999' },
        { test: TABLE, row: 'a time before the dispatch' },
        'unit/payment/recovery-of-refunds-and-voids > of a %s in doubt the next number > %s',
        'unit/payment/recovery-of-refunds-and-voids > of a void in doubt the next number > %s',
      ],
    },
    {
      id: 'recovery-3c/totals',
      text: "The terminal's sum, where it tells one, must have moved by exactly our amount.",
      tests: [
        { test: SUMS, row: 'next number and moved by our amount: charged' },
        { test: SUMS, row: 'equal to the mark and moved: a person' },
      ],
    },
    {
      id: 'recovery-3d/somebody-else',
      text: 'Anything else is somebody else: adopted by nobody, the terminal marked as shared.',
      tests: [
        { test: TABLE, row: 'a number that was skipped' },
        'scenario/a-terminal-with-a-life-of-its-own > is adopted by nobody: not by the sale before it, nor by the one after',
        'scenario/a-terminal-with-a-life-of-its-own > before recovery could read leaves the doubt to a person, unless it is exactly the next one with our amount',
      ],
    },
    {
      id: 'recovery-3d/double',
      text: 'A sum that moved by more than our amount raises a possible double charge.',
      tests: [{ test: SUMS, row: 'next number and moved by more: possible double charge' }],
    },
    {
      id: 'recovery-4/approved',
      text: 'It had said approved: kept is succeeded; reversed or absent is an error; else a person hears so.',
      tests: [
        { test: TABLE, row: "title: 'the approved number, kept'" },
        { test: TABLE, row: "title: 'the approved number, reversed'" },
        { test: TABLE, row: 'equal to the mark after an approval' },
        'unit/payment/recovery-of-refunds-and-voids > that it had approved: kept, or taken back as a void of its own trace',
        { test: 'unit/api/render-terminal-payment > %o', row: 'APPROVED.*receipt 17' },
      ],
    },
    {
      id: 'recovery-4/again',
      text: 'Compared again at the next settlement.',
      tests: [
        'scenario/an-end-of-day > whose sums are not ours asks a person to compare',
        "scenario/a-terminal-with-a-life-of-its-own > holds the terminal's lines and sums against ours",
        'unit/payment/reconcile > contradict ours when they are %s',
      ],
    },
    {
      id: 'settle/zvt-idle',
      text: 'ZVT: idle is the terminal’s own word, and "not charged" needs 20 s of it in a row.',
      tests: [
        'scenario/not-charged-too-early > is said by nobody before the terminal was idle for its settle time',
        'scenario/not-charged-too-early > counts from the beginning when the terminal goes away in between',
        'drivers/zvt/session > of status %s is %s',
      ],
    },
    {
      id: 'settle/zvt-reads',
      text: 'ZVT: and three readings that agree with the mark.',
      tests: [
        'scenario/not-charged-too-early > needs three readings that agree, however short the settle time',
      ],
    },
    {
      id: 'settle/ecr17',
      text: 'ECR17: 180 s, and three identical journals.',
      later: 'its driver is not here yet',
    },
    {
      id: 'settle/transbank',
      text: 'Transbank: 180 s, and a whole list without our ticket, twice.',
      later: 'its driver is not here yet',
    },
    {
      id: 'settle/concert-t3',
      text: 'Concert V3 with T/3: 180 s, and the refusal under our reference.',
      later: 'its driver is not here yet',
    },
    { id: 'settle/concert', text: 'Concert E+ and V3: a person.', later: 'its driver is not here yet' },
    {
      id: 'recover/measured',
      text: 'What can be recovered is measured per device; what cannot be read is with a person.',
      tests: [
        'scenario/a-terminal-that-reports-nothing > and would %s has no recovery, whatever its protocol: a person is asked and nothing is guessed',
        { test: TABLE, row: 'a terminal that cannot tell' },
        'drivers/zvt/session > is asked for again with service byte 01, and then unreadable',
      ],
    },
    {
      id: 'recover/explained',
      text: 'The row that decided is told.',
      tests: [
        'scenario/what-explain-shows > tells of a %s that a terminal would %s how it ended (%s) and the row that decided: %s',
        'scenario/what-explain-shows > tells the row that contradicted an attempt which had ended',
      ],
    },
    {
      id: 'person/charged',
      text: 'Anybody who is signed in may say "charged", at once.',
      tests: ['scenario/a-person-decides > may say "charged" at once, also before the terminal is back'],
    },
    {
      id: 'person/not-charged',
      text: '"Not charged" needs a lead or ten minutes, and the settle time in either case.',
      tests: [
        'scenario/a-person-decides > may say "not charged" after that as a lead, and as a cashier after ten minutes',
        'scenario/a-person-decides > may not say "not charged" of a terminal that does not come back, not even a lead, however late',
      ],
    },
    {
      id: 'person/words',
      text: 'The question has the exact words to compare.',
      tests: [
        'unit/api/takes-payments > lets a named person end a doubt, with words, and only a doubt',
        'unit/cli/verbs > resolve sends who looked, why, and what was shown',
      ],
    },
    {
      id: 'close/blocked',
      text: 'The day is not closed while anything is in doubt on that terminal, unless a person forces it.',
      tests: [
        'scenario/an-end-of-day > is refused while the outcome of a payment on this terminal is not known',
        'scenario/an-end-of-day > may be forced by a named person once the terminal was read',
        'scenario/an-end-of-day > cannot be forced while the terminal is still being asked',
      ],
    },
    {
      id: 'close/by-itself',
      text: 'A close by the terminal itself is noticed, stored, and voids marks as witnesses.',
      tests: [
        'scenario/a-terminal-with-a-life-of-its-own > is noticed: stored as a settlement, its older marks and numbers count no more',
        { test: 'unit/payment/continuity > %s', row: 'it shows a smaller number than ours' },
      ],
    },
    {
      id: 'recovery/target',
      text: 'Of the doubts on terminals that can tell, 99 % are settled without a person within a minute.',
      later: 'a number that the simulation measures and prints, not a promise of a test',
    },
  ],
};
