import type { Section } from './rule.ts';

/** Cancel, and an approval that came after it. */
export const CANCEL: Section = {
  title: 'Cancel and late approval',
  rules: [
    {
      id: 'cancel/running',
      text: 'The abort goes out inside the running dialogue, once, and the terminal decides.',
      tests: [
        'scenario/a-cancel > over %s, while the terminal waits for a card, is confirmed by the terminal',
        'scenario/a-cancel > that races with the approval (%d ms after the card) agrees with the terminal, however it ends',
        'scenario/a-cancel > twice sends one abort',
      ],
    },
    {
      id: 'cancel/no-abort',
      text: 'Where the protocol has no abort, staff are told to press the stop key.',
      tests: [{ test: 'unit/api/render-terminal-payment > %o', row: 'stop key' }],
    },
    {
      id: 'cancel/in-doubt',
      text: 'On an attempt in doubt a cancel is noted and changes nothing.',
      tests: ['scenario/a-cancel > of a payment in doubt is noted and changes nothing'],
    },
    {
      id: 'cancel/final',
      text: 'On a final attempt a cancel is refused.',
      tests: ['scenario/a-cancel > of a payment that has ended is refused and writes nothing'],
    },
    {
      id: 'late/void',
      text: 'The void is written in the transaction that makes the sale succeeded and goes next in that queue.',
      tests: [
        'scenario/approved-too-late-or-in-part > void: the void is written in the transaction that makes the sale succeeded, and goes next',
        'unit/payment/create-attempt > is of the whole approved amount, ours, and waits a minute at most',
      ],
    },
    {
      id: 'late/known-before',
      text: 'Only if the cancel was known before the approval.',
      tests: [
        'scenario/approved-too-late-or-in-part > that was already there when the cancel came is not undone by a machine',
        {
          test: 'unit/payment/follow-up > an approval after the cancel > %s',
          row: 'that came behind the approval',
        },
      ],
    },
    {
      id: 'late/young',
      text: 'Only while the approval is under a minute old and was heard in its own dialogue.',
      tests: [
        {
          test: 'unit/payment/follow-up > an approval after the cancel > %s',
          row: 'whose approval is 60 s old',
        },
        'scenario/approved-too-late-or-in-part > that was learned by recovery is not undone by a machine, however young it is',
      ],
    },
    {
      id: 'late/by-number',
      text: 'Only on a terminal that voids by number without the card.',
      tests: [
        'scenario/approved-too-late-or-in-part > on a terminal that cannot void, or only its last payment with the card, the sale stands with a task',
        'unit/payment/follow-up > of which the terminal told no number cannot be undone by number',
      ],
    },
    {
      id: 'late/task',
      text: 'Otherwise the sale stands, with a task that never expires and says that the customer has paid.',
      tests: [
        'scenario/approved-too-late-or-in-part > keep: the sale stands, and a task that never expires tells staff that the customer has paid',
        'scenario/approved-too-late-or-in-part > whose void does not work stands, and staff are told',
        'unit/api/staff-message > came too late to be cancelled: the customer has paid, and nobody hands over goods that are being given back',
      ],
    },
  ],
};
