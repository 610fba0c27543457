import { type Command, Option } from 'commander';
import { type Does, named, wholeNumber } from './does.ts';

/** Payments, refunds and voids. */
export function addPaying(root: Command, does: Does): void {
  waiting(
    root
      .command('pay')
      .description('take a card payment and wait for its outcome')
      .requiredOption('--device <device>', 'id or name of the device')
      .option('--amount <amount>', 'decimal amount, like 12.34 (default: what is due of --invoice)')
      .option('--currency <code>', "ISO 4217 code (default: the device's, or the invoice's)")
      .option('--invoice <invoice>', 'number or id of the invoice that is paid')
      .option('--reference <text>', 'your own reference, 1 to 64 characters')
      .option(
        '--after <id>',
        'an ended payment that stands in the way, which you have looked at: take this one all the same',
      )
      .option('--yes', 'do not ask before taking more than is usual at the device'),
  ).action(does(async () => (await import('../verbs/pay.ts')).pay));
  waiting(
    root
      .command('refund')
      .description('refund a payment, in full or in part, and wait for the outcome')
      .argument('<id>', 'id of the payment')
      .option('--amount <amount>', "decimal amount in the payment's currency (default: all that is left)")
      .option(
        '--after <id>',
        'an ended refund of the same amount, which you have looked at: refund once more',
      ),
  ).action(does(async () => (await import('../verbs/refund.ts')).refund, named('id')));
  waiting(
    root
      .command('void')
      .description('void a payment before the end of day, and wait for the outcome')
      .argument('<id>', 'id of the payment'),
  ).action(does(async () => (await import('../verbs/void.ts')).voidPayment, named('id')));
}

/** Commands that cancel a payment or decide an unknown outcome. */
export function addDeciding(root: Command, does: Does): void {
  root
    .command('cancel')
    .description('cancel a payment that waits or runs; once it runs, the terminal decides')
    .argument('<id>', 'id of the payment')
    .action(does(async () => (await import('../verbs/cancel.ts')).cancel, named('id')));
  root
    .command('resolve')
    .description('decide a payment whose outcome is unknown, from what a person saw')
    .argument('<id>', 'id of the payment')
    .addOption(
      new Option('--as <outcome>', 'what it was')
        .choices(['succeeded', 'not_charged', 'written_off'])
        .makeOptionMandatory(),
    )
    .requiredOption('--by <name>', 'the name of the person who looked')
    .requiredOption('--reason <text>', 'how you know it, in your own words')
    .requiredOption(
      '--shown <text>',
      'what you saw, copied: for succeeded the receipt number or the authorisation code of this payment; for not_charged the last receipt number that is there instead; for written_off which persons you asked, and what',
    )
    .addOption(
      new Option(
        '--source <where>',
        'where it was seen, if not on the terminal itself; required for a replaced terminal',
      ).choices(['customer_slip', 'acquirer_statement', 'terminal_journal']),
    )
    .option('--amount <amount>', 'what the receipt says was charged, where that is not what was asked for')
    .action(does(async () => (await import('../verbs/resolve.ts')).resolve, named('id')));
}

/** Options of the commands that move money and wait for the outcome. */
function waiting(command: Command): Command {
  return command
    .option('--no-wait', 'end as soon as it is accepted')
    .option('--idempotency-key <key>', 'the key of an earlier try: the same one again, never a second')
    .option(
      '--timeout <seconds>',
      'how long to wait while the outcome is in doubt',
      wholeNumber(1, 3600),
      150,
    );
}
