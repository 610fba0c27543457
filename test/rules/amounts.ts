import type { Section } from './rule.ts';

const AMOUNT = 'unit/payment/amounts > %s is %s';

/** What was asked for, what was approved, and what can go back. */
export const AMOUNTS: Section = {
  title: 'Amounts, giving back, corrections',
  rules: [
    {
      id: 'amounts/apart',
      text: 'Tip, surcharge and cashback are kept apart; with them the sum must be the approved amount.',
      tests: [
        { test: AMOUNT, row: 'more by tip, surcharge and cashback' },
        'unit/api/render-terminal-payment > keeps what was added at the terminal apart from what was asked for',
        'drivers/zvt/refund-and-void > reads tip and cashback as parts of the amount',
      ],
    },
    {
      id: 'amounts/tip-asked',
      text: 'After a lost result a tip counts only where the record states it; more without one is for a person.',
      tests: [
        {
          test: 'unit/payment/recovery-with-tip > shows %s',
          row: "['more, and no tip', { amountMinor: 1334 }",
        },
        'unit/payment/recovery-with-tip > is for a person: the payment may be another one',
        'scenario/a-tip-on-the-terminal > is found again with its tip when the result was lost, without a person',
        'scenario/a-tip-on-the-terminal > leaves a lost result to a person, who is told both amounts; it is never taken for paid by guessing',
        'scenario/a-tip-on-the-terminal > is judged by what its terminal was told',
      ],
    },
    {
      id: 'amounts/dcc',
      text: 'A conversion offered to the card holder is kept for information.',
      later: 'no protocol of this release tells it',
    },
    {
      id: 'amounts/less',
      text: 'Less than asked is never shown or reported as paid: undone where possible, else a task.',
      tests: [
        'scenario/approved-too-late-or-in-part > void: is undone at once, and the service hears of it only when it is',
        'scenario/approved-too-late-or-in-part > keep: stands at the approved amount, is never reported as paid, and staff get a task with both amounts',
        'unit/api/staff-message > is not called paid when only a part was approved',
        'unit/payment/follow-up > an approval of less than was asked for > %s',
      ],
    },
    {
      id: 'amounts/more',
      text: 'More than asked without a reason succeeds at the approved amount, with a discrepancy.',
      tests: [
        'scenario/approved-too-late-or-in-part > without a reason is succeeded at the approved amount, with a task',
        'unit/payment/follow-up > of the amount is a task',
      ],
    },
    {
      id: 'amounts/missing',
      text: 'An amount that the terminal did not tell is the one that was asked for, and is known to be unconfirmed.',
      tests: [
        { test: AMOUNT, row: "['missing', {}, 'unconfirmed']" },
        'unit/payment/amounts > is the one that the terminal told, else the one that was asked for',
        { test: 'unit/payment/machine > %s, when it %s, becomes %s', row: 'ends approved, no amount' },
      ],
    },
    {
      id: 'amounts/missing-shown',
      text: 'And it is shown as not confirmed.',
      tests: ['unit/api/render-terminal-payment > says when the terminal approved without naming an amount'],
    },
    {
      id: 'back/sum',
      text: 'What can be given back is the approved amount less all that went back, is open, in doubt or under discrepancy.',
      tests: [
        'unit/payment/refundable > is the approved amount, not the one that was asked for',
        'unit/payment/refundable > counts a refund that is %s: enough left is allowed, too little is blocked by it with its id',
        'unit/payment/refundable > counts what is under discrepancy: the correction of a refund that had ended as not given back',
        'scenario/a-refund > may come in several parts, up to the approved amount and never above the rest',
      ],
    },
    {
      id: 'back/voids-count',
      text: 'Voids count as refunds do.',
      tests: [
        'unit/payment/refundable > counts voids as it counts refunds',
        'scenario/a-void > counts in what can be given back: nothing is left to refund',
      ],
    },
    {
      id: 'back/void-untouched',
      text: 'A void needs the sale untouched.',
      tests: [
        'unit/payment/refundable > is refused for good once a cent was given back',
        'scenario/a-void > is refused, and a refund offered, once a part was given back',
      ],
    },
    {
      id: 'back/blocked',
      text: 'While the obstacle is open or in doubt the answer names it, and nothing is written.',
      tests: [
        'unit/payment/refundable > is blocked by a refund that is %s, with its id',
        'scenario/a-refund > counts what is still open: 409 with its id while the sum would be too much, and nothing is written',
        'scenario/a-refund > over %s that loses its line is in doubt until the terminal tells, and blocks what it may have given back',
      ],
    },
    {
      id: 'back/twice-checked',
      text: 'Checked when it is asked for and again before it is sent.',
      tests: [
        'scenario/a-refund > is checked again before it is sent: what was given back meanwhile is not given back twice',
        'unit/payment/refundable > is not asked again at dispatch, where the attempt itself does not count',
      ],
    },
    {
      id: 'back/own-attempts',
      text: 'Refunds and voids are attempts of their own, of a sale, and never change it.',
      tests: [
        'scenario/a-refund > gives back all that is left when no amount is said, as an attempt of its own, and never changes its sale',
        'scenario/a-refund > of a payment that is not charged, or of a refund, is refused',
        { test: 'unit/payment/refundable > is nothing of %s', row: "'a void'" },
      ],
    },
    {
      id: 'void/named',
      text: 'A void names its original as strongly as the protocol can (ZVT: receipt number and amount).',
      tests: [
        'drivers/zvt/refund-and-void > a void names its original by receipt number and amount, and tells whose trace the terminal undid',
        'drivers/zvt/refund-and-void > is not started: its original %s',
        'unit/payment/create-attempt > is named by number, trace, time, card and amount, as far as the terminal told them',
      ],
    },
    {
      id: 'void/open-batch',
      text: 'It is refused, a refund offered instead, unless the original is proved to be in the open batch.',
      tests: [
        'scenario/a-void > is refused once the day was closed: the sale is not in the open batch any more',
        'scenario/a-void > is cancelled before it is sent when the terminal closed its day by itself and counts anew',
        'scenario/a-void > is cancelled before it is sent when somebody used the terminal without us: which sale has the number is not proved',
        'unit/payment/continuity > %s',
      ],
    },
    {
      id: 'void/compared',
      text: 'Afterwards amount, original trace and card are compared; a difference is an alarm and takes the capability.',
      tests: [
        {
          test: 'unit/payment/follow-up > %s, and takes the capability from the device if so',
          row: 'with another card is an alarm',
        },
        'scenario/a-void-that-hits-another > of the same amount is an alarm for staff, by the trace that the terminal names',
        'scenario/a-void-that-hits-another > of another amount is an alarm for staff with both amounts',
        'scenario/a-void-that-hits-another > takes the capability from that device: nothing is undone there any more, by nobody',
      ],
    },
    {
      id: 'void/other-families',
      text: 'How ECR17, Transbank and Concert name an original.',
      later: 'their drivers are not here yet',
    },
    {
      id: 'correction/once',
      text: 'What contradicts an end is recorded once as an attempt of its own, reported, and never sent.',
      tests: [
        'scenario/a-terminal-with-a-life-of-its-own > is recorded as a correction that is reported and never sent; the end itself does not change',
        'unit/payment/create-attempt > of %s books what happened once',
      ],
    },
    {
      id: 'correction/question',
      text: 'A person gets one question: refund it, or let it stand.',
      tests: [
        'scenario/a-terminal-with-a-life-of-its-own > asks a person one question, once, and blocks nothing afterwards',
        'unit/api/staff-message > by the records of the terminal alone asks one question: refund it, or let it stand',
      ],
    },
    {
      id: 'correction/charged',
      text: 'The light "charged" follows the newest evidence, the status does not.',
      tests: [
        'unit/api/render-terminal-payment > follows the newest evidence with charged, and the end with status',
        'scenario/a-terminal-with-a-life-of-its-own > makes the sale refundable through its correction, and guards it against a second charge',
      ],
    },
  ],
};
