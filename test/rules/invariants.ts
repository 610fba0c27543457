import type { Section } from './rule.ts';

const GUARD = 'unit/payment/guard > one sale, one charge > %s';

/** The twelve invariants; the simulation checks most of them after every step. */
export const INVARIANTS: Section = {
  title: 'Invariants',
  rules: [
    {
      id: 'invariant-1/one-at-a-time',
      text: 'One attempt per terminal past requested at a time.',
      tests: [
        'scenario/a-busy-terminal-queue > never overlaps: at most one attempt is past requested at any moment',
        'simulation/simulation > charges every customer at most once and reports every outcome once, in %s seeds with faults and crashes',
      ],
    },
    {
      id: 'invariant-1/doubt-blocks',
      text: 'A doubt blocks money on its terminal until that was proved idle and read, under whatever name it is used.',
      tests: [
        'scenario/a-busy-terminal-queue > behind one that falls in doubt is cancelled, and nothing new is taken until the doubt is over',
        'scenario/another-terminal > keeps its terminal from selling under another name until that was asked',
        'scenario/killed-while-the-customer-pays > sells again once the outcome is known, and not before',
      ],
    },
    {
      id: 'invariant-1/four-minutes',
      text: 'Never longer than four minutes on a terminal that answers.',
      tests: [
        'scenario/a-doubt-that-stays > leaves a terminal that answers after four minutes, though that never becomes idle',
      ],
    },
    {
      id: 'invariant-1/released',
      text: 'Then the terminal sells on; the sale stays guarded, its refunds blocked.',
      tests: [
        'scenario/a-person-decides > is not needed for the terminal to sell on: the sale stays guarded, other sales run',
        'scenario/a-doubt-that-stays > keeps its sale guarded and unrefundable while other sales run',
      ],
    },
    {
      id: 'invariant-1/void-last',
      text: 'A void of the last payment stays blocked until the doubt is decided.',
      tests: [
        'scenario/a-doubt-that-stays > blocks every void on a terminal that undoes its last payment only',
      ],
    },
    {
      id: 'invariant-2/first-byte',
      text: 'No byte of a money command before its row is on disk.',
      tests: [
        'scenario/commit-before-bytes > is dispatched with its mark when the first byte of a money command does',
      ],
    },
    {
      id: 'invariant-2/room',
      text: 'No dispatch without room reserved for outcome, event and report.',
      tests: [
        'scenario/no-room-no-payment > what waits already is not sent to the terminal, and goes when there is room again',
        'unit/store/disk/free-disk-space > is made of real bytes: in the log for what runs and one more, and in the reserve',
        'unit/store/disk/free-disk-space > holds a payment with a doubt, its recovery and a void, with much to write, and a quarter more',
      ],
    },
    {
      id: 'invariant-3/commit-fails',
      text: 'A commit of the approval that fails: nothing is acknowledged or answered, and the process ends.',
      tests: [
        'scenario/commit-before-bytes > leaves the terminal (which would %s) unanswered, ends the process, and no second command goes out',
        'drivers/zvt/silence > nothing is answered when %s is not on disk',
      ],
    },
    {
      id: 'invariant-4/repeat',
      text: 'A money frame is repeated on a fresh NAK with nothing else, at most twice; never after silence.',
      tests: [
        'drivers/zvt/serial-line > is written again after a NAK, and the sale goes on',
        'drivers/zvt/serial-line > is written three times at most; then nothing was started',
        'drivers/zvt/serial-line > is never written again after silence',
        'drivers/zvt/serial-line > is not written again for a NAK that was on the line before',
        'drivers/zvt/serial-line > is not written again when noise came with the NAK',
      ],
    },
    {
      id: 'invariant-5/silence',
      text: 'Silence is never a decline, and "not found" is not "not charged".',
      tests: [
        'scenario/faults-at-every-step > over %s, %s at "%s", on a terminal that would %s: charged if and only if the terminal says so',
        'unit/payment/recovery-table > never says "not charged" at once',
      ],
    },
    {
      id: 'invariant-6/one-transaction',
      text: 'State, journal entry, event and report are one transaction.',
      tests: [
        'scenario/one-transaction > is nothing at all when the disk refuses its row in %s',
        'scenario/one-transaction > is nothing at all when the disk refuses %s: nobody hears of it, and the process ends',
        'unit/payment/machine > %s to a final state by "%s" reports and publishes it, and nothing else does',
        'unit/payment/intake > that may not run is written and cancelled in one transaction: a disk error in between leaves nothing',
      ],
    },
    {
      id: 'invariant-6/journal',
      text: 'The journal is appended only, and a change of it is found.',
      tests: [
        'unit/store/stores > cannot be changed or deleted, not even with SQL',
        'scenario/a-tampered-journal > is named with its row at the next start, and the shop sells on',
      ],
    },
    {
      id: 'invariant-7/start',
      text: 'At the start everything past requested is in doubt before money moves, and what waited is cancelled.',
      tests: [
        'scenario/not-charged-too-early > puts an attempt that was %s in doubt before anything else, and asks its terminal',
        'scenario/not-charged-too-early > cancels what was still waiting',
        'scenario/killed-while-the-customer-pays > and a customer who will %s on a terminal that would %s: ends %s after the next start, reported once',
      ],
    },
    {
      id: 'invariant-8/invoice',
      text: 'Same invoice: refused while one is open or in doubt, else up to the amount due.',
      tests: [
        { test: GUARD, row: 'the same invoice while open' },
        { test: GUARD, row: 'one cent more than the invoice' },
        { test: GUARD, row: 'the same invoice, paid, amount due unknown' },
      ],
    },
    {
      id: 'invariant-8/reference',
      text: 'Same reference: refused while open or in doubt, else the same amount within twelve hours.',
      tests: [
        { test: GUARD, row: 'the same reference while open, another amount' },
        { test: GUARD, row: 'the same reference and amount after 12 h' },
      ],
    },
    {
      id: 'invariant-8/walk-in',
      text: 'Neither: the same amount and caller while open, or within half a minute.',
      tests: [
        { test: GUARD, row: 'a double click while the first is in doubt' },
        { test: GUARD, row: 'the same amount again after 30 s' },
      ],
    },
    {
      id: 'invariant-8/elapsed-time',
      text: 'All these times are elapsed time: no step of the wall clock changes them, and a restart does not begin them anew.',
      tests: [
        'reproductions/04-the-wall-clock-is-set > 13 hours forward does not let the same basket be charged again a second later',
        'reproductions/04-the-wall-clock-is-set > a minute forward does not let a double click charge twice',
        'reproductions/04-the-wall-clock-is-set > right again after it was a year ahead does not refuse the next customer with the same amount',
        'unit/payment/elapsed-time > goes on after a restart where it stood: the time between counts as none',
        'unit/payment/elapsed-time > counts the time between two runs once a witness that both have heard has shown it',
      ],
    },
    {
      id: 'invariant-8/net',
      text: 'What stands is counted net of what was given back.',
      tests: [
        'unit/payment/guard > lets a sale pass whose possible duplicate was given back as a whole, and no other',
        'unit/payment/guard > counts what stands of an invoice net: 10.00 due, 12.34 paid, 5.00 of it given back',
      ],
    },
    {
      id: 'invariant-8/refund',
      text: 'Refund: the same sale and amount while open, in doubt or within a minute.',
      tests: [
        'unit/payment/refundable > is a double click while the first is open or in doubt, whatever "after" says',
        'unit/payment/refundable > is a double click for 60 s after the first, to the millisecond',
        'scenario/a-refund > of the same amount within a minute is a double click, unless "after" names the first',
      ],
    },
    {
      id: 'invariant-8/after',
      text: 'A person passes by a final one, never by one that is open or in doubt; the refusal names it.',
      tests: [
        { test: GUARD, row: 'one in doubt, seen by a person' },
        'unit/payment/guard > names the payment that stands in the way and what to do',
        'unit/payment/refundable > passes when "after" names the first, and only then',
      ],
    },
    {
      id: 'invariant-8/retry',
      text: 'A retry after declined, cancelled or error always passes.',
      tests: [
        { test: GUARD, row: 'a retry after a decline' },
        { test: GUARD, row: 'a retry after a cancel' },
        { test: GUARD, row: 'a retry after an error' },
      ],
    },
    {
      id: 'invariant-9/replay',
      text: 'The same request under the same key gets the original answer, also after a restart.',
      tests: [
        'unit/api/idempotency > gives the original answer again, byte for byte, whatever has happened since',
        'unit/api/refunds-and-voids > %s gives the same answer to the same key, byte for byte, and nothing more',
        'scenario/one-transaction > is one row in each, its key among them, and the key is known to the next life',
        'unit/cli/refunds-and-voids > asks again with the same key over a restart: money is never given back twice',
      ],
    },
    {
      id: 'invariant-9/mismatch',
      text: 'Another request under the key is refused; two at once make one payment.',
      tests: [
        'unit/api/idempotency > refuses another request under the same key, also an invalid one, and names the first',
        'unit/api/idempotency > while a request under a key runs, another one is told to come back, valid or not',
        'unit/api/idempotency > two at once under one key make one payment',
      ],
    },
    {
      id: 'invariant-9/free',
      text: 'A refusal that wrote nothing frees its key.',
      tests: ['unit/api/idempotency > is free again after a refusal that wrote nothing'],
    },
    {
      id: 'invariant-10/money',
      text: 'Integers in minor units with the exponent of the currency.',
      tests: [
        'unit/base/money > %s %s is %d minor units',
        'unit/base/money > %s %s is refused',
        'unit/base/money > every currency survives being written and read',
      ],
    },
    {
      id: 'invariant-10/currency',
      text: 'Another currency, or an amount out of range, is refused before anything is sent.',
      tests: [
        'scenario/work-from-the-service > in a currency that the device does not take is refused and reported, and never reaches the terminal',
        'drivers/zvt/sale > a sale in another currency than the terminal’s is not started',
        'drivers/zvt/commands > no frame carries the amount %d',
      ],
    },
    {
      id: 'invariant-11/cards',
      text: 'A full card number exists nowhere.',
      tests: [
        'unit/base/card-number > of %s shows %s',
        'unit/base/card-number > masks %s',
        'unit/store/stores > come back as they went in, the card number as the type that cannot hold a full one',
        'drivers/zvt/report > holds no full card number, wherever the terminal writes it',
        'drivers/zvt/sale > holds every packet, and neither tracks nor card numbers nor the password',
        'unit/payment/intake > keeps no card number, wherever it hides',
        'unit/api/takes-payments > lets no card number into reference or metadata',
      ],
    },
    {
      id: 'invariant-12/questions',
      text: 'Questions to a terminal move no money and print nothing.',
      tests: [
        'drivers/zvt/session > is read without printing',
        'drivers/zvt/journal > is the last transaction and the totals, without paper, and never the whole',
        'scenario/a-terminal-that-reports-nothing > is awaited: nothing is sent over it and nothing aborts it',
      ],
    },
  ],
};
