import type { Command } from 'commander';
import { collect, type Does, named, wholeNumber } from './does.ts';

/** Webhook endpoints and their deliveries. */
export function addWebhooks(root: Command, does: Does): void {
  const webhooks = root
    .command('webhooks')
    .description('add, list and remove endpoints that events are sent to');
  webhooks
    .command('add')
    .description('register an endpoint for what happens from now on; its secret is shown once')
    .argument('<url>', 'https address (plain http on this machine only)')
    .requiredOption('--event <type>', 'event type; repeat for more', collect)
    .action(does(async () => (await import('../verbs/webhooks-add.ts')).webhooksAdd, named('url')));
  webhooks
    .command('list')
    .description('the endpoints, oldest first')
    .action(does(async () => (await import('../verbs/webhooks-list.ts')).webhooksList));
  webhooks
    .command('remove')
    .description('delete an endpoint; what is pending for it fails')
    .argument('<endpoint>', 'id or address of the endpoint')
    .action(does(async () => (await import('../verbs/webhooks-remove.ts')).webhooksRemove, named('id')));
  webhooks
    .command('roll-secret')
    .description('give an endpoint a new secret; it signs from the next attempt on and is shown once')
    .argument('<endpoint>', 'id or address of the endpoint')
    .action(
      does(async () => (await import('../verbs/webhooks-roll-secret.ts')).webhooksRollSecret, named('id')),
    );
  webhooks
    .command('deliveries')
    .description('what was sent, newest first')
    .option('--status <status>', 'only these: pending, delivered, failed')
    .option('--endpoint <endpoint>', 'only to this endpoint: its id or its address')
    .option('--event <id>', 'only of this event')
    .option('--limit <n>', 'at most this many, 1 to 100', wholeNumber(1, 100), 20)
    .action(does(async () => (await import('../verbs/webhooks-deliveries.ts')).webhooksDeliveries));
  webhooks
    .command('redeliver')
    .description('send the event of a delivery to its endpoint once more')
    .argument('<id>', 'id of the delivery')
    .action(
      does(async () => (await import('../verbs/webhooks-redeliver.ts')).webhooksRedeliver, named('id')),
    );
}
