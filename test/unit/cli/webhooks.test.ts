import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WebhookDelivery } from '../../../src/api/contract/webhook-delivery.ts';
import {
  CreateWebhookEndpoint,
  type WebhookEndpoint,
  WebhookEndpointWithSecret,
} from '../../../src/api/contract/webhook-endpoint.ts';
import { command, documentOf } from './command-line.ts';
import { AT, FakeDaemon, list, one } from './fake-daemon.ts';

const ID = '0199c0de-0000-7000-8000-0000000000ee';
const SECRET = WebhookEndpointWithSecret.parse({
  id: ID,
  object: 'webhook_endpoint',
  url: 'https://shop.example/hooks',
  events: ['terminal_payment.succeeded', 'settlement.created'],
  status: 'enabled',
  needs_new_secret: false,
  created_at: AT,
  updated_at: AT,
  secret: 'whsec_shown_once',
});
const { secret: _, ...SHOWN } = SECRET;
const LOST: WebhookEndpoint = { ...SHOWN, needs_new_secret: true, url: 'https://lost.example/hooks' };
const TWIN: WebhookEndpoint = { ...SHOWN, url: 'https://twin.example/hooks' };
const DELIVERY = WebhookDelivery.parse({
  id: ID,
  object: 'webhook_delivery',
  event_id: 'evt_7',
  event_type: 'settlement.created',
  endpoint_id: ID,
  status: 'pending',
  attempts: 2,
  next_attempt_at: AT,
  response_status: 503,
  last_error: 'the endpoint answered 503',
  created_at: AT,
  delivered_at: null,
});
const ADD = ['webhooks', 'add', SECRET.url, ...SECRET.events.flatMap((type) => ['--event', type])];

describe('tillctl webhooks', () => {
  let daemon: FakeDaemon;
  beforeEach(async () => {
    daemon = await new FakeDaemon()
      .on('POST /v2/webhook-endpoints', () => one(SECRET, 201))
      .on('GET /v2/webhook-endpoints', () => list([SHOWN, LOST, TWIN, TWIN]))
      .on(`DELETE /v2/webhook-endpoints/${ID}`, () =>
        one({ id: ID, object: 'webhook_endpoint', deleted: true }),
      )
      .on(`POST /v2/webhook-endpoints/${ID}/roll-secret`, () => one(SECRET))
      .on('GET /v2/webhook-deliveries', () => list([DELIVERY]))
      .on(`POST /v2/webhook-deliveries/${ID}/redeliver`, () => one(DELIVERY, 201))
      .start();
  });
  afterEach(() => daemon.remove());

  it.each([
    ['add', ADD, { data: SECRET }, ['whsec_shown_once', SECRET.url]],
    [
      'list',
      ['webhooks', 'list'],
      { object: 'list', data: [SHOWN, LOST, TWIN, TWIN] },
      ['enabled', 'NEEDS NEW SECRET', ID],
    ],
    ['remove', ['webhooks', 'remove', ID], { data: { id: ID, deleted: true } }, ['is deleted']],
    [
      'remove, by address,',
      ['webhooks', 'remove', 'https://SHOP.example/hooks'],
      { data: { id: ID } },
      ['is deleted'],
    ],
    [
      'roll-secret, by address,',
      ['webhooks', 'roll-secret', SECRET.url],
      { data: SECRET },
      ['whsec_shown_once'],
    ],
    ['roll-secret', ['webhooks', 'roll-secret', ID], { data: SECRET }, ['whsec_shown_once']],
    [
      'deliveries',
      ['webhooks', 'deliveries'],
      { object: 'list', data: [DELIVERY] },
      ['evt_7', 'answered 503', '2', '.example/hooks'],
    ],
    ['redeliver', ['webhooks', 'redeliver', ID], { data: DELIVERY }, ['evt_7', 'pending']],
  ])(
    '%s shows words to people and, with --json, one document as the interface gives it',
    async (_verb, words, body, shown) => {
      const human = await command(['--socket', daemon.socket, ...words]);
      expect(human.exit).toBe(0);
      for (const word of shown) expect(human.out).toContain(word);
      const json = await command([...words, '--json', '--socket', daemon.socket]);
      expect(json.exit).toBe(0);
      expect(documentOf(json.out)).toMatchObject(body);
    },
  );

  it('add sends what the contract allows, and says that the secret is shown once', async () => {
    const { err } = await command(['--socket', daemon.socket, ...ADD]);
    expect(CreateWebhookEndpoint.parse(daemon.seen[0]?.body)).toEqual({
      url: SECRET.url,
      events: SECRET.events,
    });
    expect(err).toContain('shown this once');
  });

  it('deliveries asks for what was asked for', async () => {
    const words = [
      'webhooks',
      'deliveries',
      '--status',
      'failed',
      '--endpoint',
      ID,
      '--event',
      'evt_7',
      '--limit',
      '7',
    ];
    await command(['--socket', daemon.socket, ...words]);
    expect(daemon.seen[0]?.path).toBe(
      `/v2/webhook-deliveries?limit=7&status=failed&endpoint_id=${ID}&event_id=evt_7`,
    );
  });

  it('asks for the deliveries to an address by the id of its endpoint; none and two of an address are refused', async () => {
    const asked = async (...words: string[]) =>
      await command(['--socket', daemon.socket, 'webhooks', ...words]);
    await asked('deliveries', '--endpoint', SECRET.url);
    const [deliveries] = daemon.requests('GET /v2/webhook-deliveries');
    expect(deliveries?.path).toContain(`endpoint_id=${ID}`);
    for (const [url, printed] of [
      ['https://nowhere.example/', 'no endpoint has the address'],
      [TWIN.url, 'several endpoints'],
    ] as const) {
      const { exit, err } = await asked('remove', url);
      expect(exit).toBe(2);
      expect(err).toContain(printed);
    }
    expect(daemon.seen.map(({ method }) => method)).not.toContain('DELETE');
  });

  it.each([
    [
      'an address in plain text',
      ['add', 'http://shop.example/', '--event', 'settlement.created'],
      'must be https',
    ],
    ['an event that does not exist', ['add', SECRET.url, '--event', 'shop.opened'], 'shop.opened'],
    ['no event', ['add', SECRET.url], '--event'],
    ['an id that is none', ['remove', 'the-first'], 'tillctl webhooks list'],
    ['the id of a delivery that is none', ['redeliver', '1'], 'tillctl webhooks deliveries'],
    ['a status that does not exist', ['deliveries', '--status', 'lost'], '--status'],
    ['an endpoint that is none', ['deliveries', '--endpoint', '1'], 'its id or its address'],
  ])('refuses %s before it asks anybody', async (_name, words, printed) => {
    const { exit, err } = await command(['--socket', daemon.socket, 'webhooks', ...words]);
    expect(exit).toBe(2);
    expect(err).toContain(printed);
    expect(daemon.seen).toEqual([]);
  });
});
