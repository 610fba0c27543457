import { hold } from '../breach.ts';
import type { ExpectedError } from '../expect.ts';
import { ask, type Row } from '../row.ts';
import type { Side } from '../sides/side.ts';
import { ENDPOINTS } from './hooks.ts';

const REGISTRATION = 'Events: Registration';
const URL_OK = 'https://shop.example/hook';
const covers = ['body:url', 'body:events'];

const FORBIDDEN_URLS = [
  'http://shop.example/hook',
  'http://127.0.0.1.shop.example/',
  'http://10.0.0.7/hook',
  'ftp://shop.example/hook',
  'shop.example/hook',
  '/hook',
  '',
  'https://user:word@shop.example/',
  'https://user@shop.example/',
  'http://user:word@127.0.0.1/',
  'javascript:alert(1)',
  'file:///etc/hosts',
  `https://shop.example/${'x'.repeat(2048)}`,
];

/** What may not be registered: URLs, and bodies as a whole. */
export const endpointRefusals: readonly Row[] = [
  ...FORBIDDEN_URLS.map(badUrlRow),
  ...badBodies().map(([id, body, error]) => ({
    id: `webhook/refuses-${id}`,
    section: REGISTRATION,
    what: `an endpoint with ${id.replaceAll('-', ' ')} is 400 and names the parameter`,
    covers,
    run: async (side: Side) =>
      void (await ask(side, { method: 'POST', path: ENDPOINTS, body }, { status: 400, error })),
  })),
];

function badUrlRow(address: string, index: number): Row {
  return {
    id: `webhook/no-url-${index + 1}`,
    section: REGISTRATION,
    what: `"${address.slice(0, 60)}" may not be registered: 400 and url is named`,
    covers,
    run: async (side) => {
      const error = { type: 'invalid_request_error', code: 'validation_error', param: 'url' } as const;
      const body = { url: address, events: ['payment.succeeded'] };
      const answer = await ask(side, { method: 'POST', path: ENDPOINTS, body }, { status: 400, error });
      hold(!answer.text.includes('user:word'), () => 'the refusal repeats the password of the URL');
    },
  };
}

function badBodies(): readonly (readonly [id: string, body: unknown, error: ExpectedError])[] {
  const invalid = (param: string) =>
    ({ type: 'invalid_request_error', code: 'validation_error', param }) as const;
  const missing = (param: string) =>
    ({ type: 'invalid_request_error', code: 'missing_required_field', param }) as const;
  return [
    ['no-url', { events: ['payment.succeeded'] }, missing('url')],
    ['no-events', { url: URL_OK }, missing('events')],
    ['an-empty-list-of-events', { url: URL_OK, events: [] }, invalid('events')],
    [
      '101-events',
      { url: URL_OK, events: Array.from({ length: 101 }, () => 'payment.succeeded') },
      invalid('events'),
    ],
    [
      'an-unknown-event-type',
      { url: URL_OK, events: ['payment.succeeded', 'payment.imagined'] },
      invalid('events.1'),
    ],
    ['a-star-for-events', { url: URL_OK, events: ['*'] }, invalid('events.0')],
    ['events-that-are-no-list', { url: URL_OK, events: 'payment.succeeded' }, invalid('events')],
    ['a-url-that-is-no-text', { url: 7, events: ['payment.succeeded'] }, invalid('url')],
    [
      'a-secret-of-its-own',
      { url: URL_OK, events: ['payment.succeeded'], secret: 'whsec_mine' },
      invalid('secret'),
    ],
  ];
}
