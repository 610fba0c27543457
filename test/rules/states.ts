import type { Section } from './rule.ts';

const MACHINE = 'unit/payment/machine > %s, when it %s, becomes %s';

/** The rows of the table of states. */
export const STATES: Section = {
  title: 'States',
  rules: [
    {
      id: 'states/create',
      text: 'An attempt is born with its journal entry, event, key and report in one transaction.',
      tests: [
        'unit/payment/intake > that may not run is written and cancelled in one transaction: a disk error in between leaves nothing',
        'unit/api/takes-payments > creates one with 201 and shows it under its id, in the list, as an event and with its timeline',
        'scenario/one-transaction > is nothing at all when the disk refuses its row in %s',
      ],
    },
    {
      id: 'states/dispatch',
      text: 'It is on disk as dispatched, with its mark, before the first byte goes out.',
      tests: [
        'scenario/commit-before-bytes > is dispatched with its mark when the first byte of a money command does',
        'scenario/a-sale-end-to-end > is dispatched before the first byte, approved before the acknowledgement, succeeded at the end of the dialogue',
      ],
    },
    {
      id: 'states/dispatch-ready',
      text: 'It goes only to the right terminal, proved idle, without a card in it, and able to do it.',
      tests: [
        'scenario/a-terminal-that-is-not-ready > %s: nothing is sent, nobody is in doubt, and the request ends with the words',
        'scenario/another-terminal > gets no payment, and its last transaction is no evidence',
      ],
    },
    {
      id: 'states/dispatch-at-once',
      text: 'The first byte leaves within two seconds of the decision to send, or nothing is sent.',
      tests: [
        'scenario/a-slow-disk > by more than 2 s: nothing is sent, the customer is not charged, and the next sale goes',
      ],
    },
    {
      id: 'states/cancel-unsent',
      text: 'A request that is cancelled before it was sent ends, and nothing goes out.',
      tests: ['scenario/a-cancel > of a sale that waits in the queue ends it at once, and nothing is sent'],
    },
    {
      id: 'states/expire',
      text: 'A request that waited too long never reaches a terminal.',
      tests: [
        'scenario/a-busy-terminal-queue > that waits longer than its limit is cancelled and never reaches the terminal',
        'scenario/a-busy-terminal-queue > does not become younger when the wall clock is set back',
        'unit/payment/waiting-deadlines > says once that the time of a guest is over, to the millisecond',
      ],
    },
    {
      id: 'states/expire-behind-doubt',
      text: 'What waits behind an attempt that falls in doubt is cancelled.',
      tests: [
        'scenario/a-busy-terminal-queue > behind one that falls in doubt is cancelled, and nothing new is taken until the doubt is over',
      ],
    },
    {
      id: 'states/expire-restart',
      text: 'What waited when the agent went down is cancelled.',
      tests: ['scenario/not-charged-too-early > cancels what was still waiting'],
    },
    {
      id: 'states/not-started',
      text: 'No byte handed over, or an explicit refusal before acceptance, is an error without a charge; after the acceptance it is doubt.',
      tests: [
        MACHINE,
        'drivers/zvt/sale > is not started when the terminal refuses before it accepts',
        'drivers/zvt/sale > is not started when the link had ended before',
        'drivers/zvt/refund-and-void > a %s that the terminal refuses before it accepts is not started',
      ],
    },
    {
      id: 'states/approved-first',
      text: 'An approval is on disk before it is acknowledged.',
      tests: [
        'scenario/commit-before-bytes > is the approval before it is acknowledged, and the outcome before the end of the dialogue is',
        'drivers/zvt/sale > commits the result and the end before it answers them',
        'drivers/zvt/refund-and-void > a %s commits its result and its end before it answers them',
      ],
    },
    {
      id: 'states/last-result',
      text: 'A later result of the same dialogue replaces the one before.',
      tests: [
        MACHINE,
        'drivers/zvt/sale > counts the last result: wrong PIN, then approved',
        'drivers/zvt/driver-meets-virtual > agree that a wrong PIN and then the right one is one charge',
      ],
    },
    {
      id: 'states/end-counts',
      text: 'The end of the dialogue gives what its last result said; an approval with a failed end, and a code that nobody listed, are doubt.',
      tests: [
        MACHINE,
        'unit/driver-kit/conclude > last result %s and end %s comes to %s',
        'drivers/zvt/refund-and-void > a %s that is approved and then fails, or is taken back, is unknown',
        'drivers/zvt/report > speaks of every code',
      ],
    },
    {
      id: 'states/paid-when-acknowledged',
      text: 'Nobody is told "paid" before the terminal showed that it took our acknowledgement.',
      tests: [
        'scenario/a-sale-end-to-end > is dispatched before the first byte, approved before the acknowledgement, succeeded at the end of the dialogue',
        'unit/payment/machine > nobody is told "charged" or "not charged" before a final state',
        'unit/api/render-terminal-payment > %o shows no proof of payment',
      ],
    },
    {
      id: 'states/approved-lost',
      text: 'An approval whose dialogue is lost, or was acknowledged too late, is in doubt.',
      tests: [
        MACHINE,
        'scenario/a-slow-disk > on a terminal that would %s: it is not acknowledged any more, in doubt, and recovery finds %s',
        'drivers/zvt/late-acknowledgement > the approval of a %s that was stored later than T3 is not acknowledged any more, nor anything after it',
      ],
    },
    {
      id: 'states/aborted',
      text: 'Cancelled needs the word of the terminal that it stopped.',
      tests: [
        MACHINE,
        'scenario/a-cancel > over %s, while the terminal waits for a card, is confirmed by the terminal',
        'drivers/zvt/refund-and-void > a %s is aborted inside its dialogue',
      ],
    },
    {
      id: 'states/silence',
      text: 'Silence, a time-out, a lost link, a driver error and a restart are doubt and nothing else.',
      tests: [
        'unit/payment/machine > silence never becomes anything but doubt once the command may be out',
        'drivers/zvt/silence > silence after $name is unknown, and the money frame was sent once',
        'drivers/zvt/silence > a cut after $name is unknown, and the money frame was sent once',
        'scenario/a-driver-that-hangs > in "%s" but heeds its signal is in doubt after the time of that phase, then %s, and the queue goes on',
        'scenario/a-driver-that-hangs > in "%s" and ignores its signal is left behind, and neither writes nor is allowed anything afterwards',
        'scenario/a-driver-that-hangs > and throws is in doubt at once',
        'unit/payment/phases > give up after the time of "%s", to the millisecond, by way of %j',
      ],
    },
    {
      id: 'states/doubt-ends',
      text: 'A doubt ends by evidence or a person; the first decision that is committed wins.',
      tests: [
        MACHINE,
        'scenario/a-person-decides > decides once: the second word is refused',
        'scenario/a-person-decides > wins over a recovery that comes later: a decided payment is not marked as open again',
      ],
    },
    {
      id: 'states/final',
      text: 'A final state does not change: contradicting evidence is a discrepancy and a correction.',
      tests: [
        MACHINE,
        'unit/payment/follow-up > of a final state (%s) is a correction, and nothing else',
        'scenario/a-terminal-with-a-life-of-its-own > is recorded as a correction that is reported and never sent; the end itself does not change',
      ],
    },
  ],
};
