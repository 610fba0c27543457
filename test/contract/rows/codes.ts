import { z } from 'zod';
import { hold } from '../breach.ts';
import { shapeOf } from '../expect.ts';
import { OTHER_CODES, RATE_HEADERS } from '../interface.ts';
import { ask, exemptRow, type Group, type Row } from '../row.ts';
import type { Fault } from '../sides/side.ts';
import { PAYMENTS, requested, saleOf } from './sales.ts';

const CODES = 'Errors: Other codes';
const Paid = z.looseObject({ data: z.array(z.looseObject({ id: z.uuid() })).length(1) });
const FORBIDDEN = 'Errors: 403 codes';

function corsRow(): Row {
  return {
    id: 'code/cors',
    section: 'Limits: Rate limits',
    what: 'Retry-After, WWW-Authenticate and the three rate-limit headers are exposed to pages of another origin',
    covers: [
      'header:Retry-After',
      'header:WWW-Authenticate',
      ...RATE_HEADERS.map((name) => `header:${name}`),
    ],
    run: async (side) => {
      const Origin = 'https://till.example';
      const answers = [
        await ask(side, { path: PAYMENTS, headers: { Origin } }, { status: 200 }),
        await side.send({ path: PAYMENTS, headers: { Origin } }),
      ];
      for (const { headers, status } of answers) {
        const exposed = (headers['access-control-expose-headers'] ?? '').toLowerCase().split(/\s*,\s*/);
        for (const name of ['Retry-After', 'WWW-Authenticate', ...RATE_HEADERS])
          hold(exposed.includes(name.toLowerCase()), () => `a ${status} does not expose ${name}`);
      }
    },
  };
}

/** Codes whose status no other row has. */
const ONLY_EXEMPT = ['card_declined'];
const NO_GATEWAY = {
  local: 'there is no payment gateway between tilld and a terminal: “payment gateway error”',
};
/** Mirrored, and never written: no operation of these is served. */
const NOT_WRITTEN =
  'tilld mirrors it and writes none: “Where two statuses are listed, the operation decides”';

/** The rows of the code tables that no other group holds: server errors, and what belongs to areas that tilld does not serve. */
export const codeGroup: Group = {
  name: 'codes',
  rows: [
    faultRow('broken', 500, 'internal_error'),
    faultRow('unavailable', 503, 'service_unavailable'),
    existsRow(),
    originRow(),
    faultRow('gateway_failed', 502, 'gateway_error', NO_GATEWAY),
    faultRow('gateway_slow', 504, 'gateway_error', NO_GATEWAY),
    exempt(
      'idempotency_conflict',
      'both sides answer in the flat shape, which the interface names for the same case: “Idempotency-Key errors”',
    ),
    exempt(
      'card_declined',
      'a card is refused at the terminal and the payment ends declined: “outcome delivered asynchronously by webhook”',
    ),
    paidInvoiceRow(),
    exempt('invoice_already_paid', NOT_WRITTEN),
    exempt(
      'invoice_pdf_not_ready',
      'no PDF of an invoice is served: “no rendered PDF yet; does not create one; retry later”',
    ),
    exempt('subscription_already_canceled', NOT_WRITTEN),
    exempt('order_already_paid', NOT_WRITTEN),
    sessionRow(),
    exemptRow(
      {
        id: 'code/401-merchant',
        section: 'Errors: 401 codes',
        what: 'merchant_required',
        covers: ['code:401 merchant_required'],
      },
      'every key is of the one merchant: “authenticated but no merchant”',
    ),
    exemptRow(
      {
        id: 'code/403-merchants',
        section: FORBIDDEN,
        what: 'merchant_mismatch, tenant_scope_mismatch, no_organization, no_merchant, read_only_impersonation_blocked',
        covers: [
          'merchant_mismatch',
          'tenant_scope_mismatch',
          'no_organization',
          'no_merchant',
          'read_only_impersonation_blocked',
        ].map(forbidden),
      },
      'a till and its sandbox are of one merchant, and no caller acts for another: “not visible to the key”',
    ),
    exemptRow(
      {
        id: 'code/403-storefront',
        section: FORBIDDEN,
        what: 'cart_disabled, publishable_key_restricted, verification_required',
        covers: ['cart_disabled', 'publishable_key_restricted', 'verification_required'].map(forbidden),
      },
      'there is no cart and no publishable key: “Publishable keys exist for browser use with registered origins”',
    ),
    internalRow(),
    corsRow(),
  ],
};

function forbidden(code: string): string {
  return `code:403 ${code}`;
}

function faultRow(how: Fault, status: number, code: string, exempt: Row['exempt'] = {}): Row {
  return {
    id: `code/${status}-${code}`,
    exempt,
    section: CODES,
    what: `a fault of the server's own is ${status} ${code}, and the next request is served`,
    covers: [`code:${status} ${code}`, `status:${status}`, 'type:api_error'],
    run: async (side) => {
      side.failNext(how);
      await ask(side, { path: PAYMENTS }, { status, error: { type: 'api_error', code, param: null } });
      await ask(side, { path: PAYMENTS }, { status: 200 });
    },
  };
}

function existsRow(): Row {
  return {
    id: 'code/resource_already_exists',
    section: CODES,
    what: 'a payment under an id that exists is 409 resource_already_exists',
    covers: ['code:409 resource_already_exists'],
    exempt: {
      local:
        'the id of a payment is made here, a till cannot choose it: “terminal payment beyond device_id and invoice_id”',
    },
    run: async (side) => {
      const { id } = await requested(side);
      const error = { type: 'invalid_request_error', code: 'resource_already_exists', param: 'id' } as const;
      await ask(side, { method: 'POST', path: PAYMENTS, body: saleOf(side, { id }) }, { status: 409, error });
    },
  };
}

function originRow(): Row {
  return {
    id: 'code/origin_not_allowed',
    section: FORBIDDEN,
    what: 'a request of a page that is not ours is 403 origin_not_allowed, whatever key it has',
    covers: ['code:403 origin_not_allowed'],
    exempt: {
      sandbox:
        'it belongs to publishable keys, which the stand-in has not: “when the Origin is not registered or absent”',
    },
    run: async (side) => {
      const error = { type: 'authorization_error', code: 'origin_not_allowed' } as const;
      for (const Origin of ['https://shop.example', 'null', 'http://127.0.0.1:1'])
        await ask(side, { path: PAYMENTS, headers: { Origin } }, { status: 403, error });
    },
  };
}

function paidInvoiceRow(): Row {
  return {
    id: 'code/invoice_already_paid-sale',
    section: CODES,
    what: 'a sale of an invoice that is paid is 409 invoice_already_paid, and nothing is started',
    covers: ['code:409 invoice_already_paid'],
    exempt: { sandbox: 'the service takes any invoice_id: “optional uuid; omit for walk-in payment”' },
    run: async (side) => {
      const { json } = await ask(side, { path: '/v2/invoices?status=paid&limit=1' }, { status: 200 });
      const [paid] = shapeOf('the invoices', Paid, json).data;
      const body = saleOf(side, { invoice_id: paid?.id, amount_minor: 100 });
      const error = { type: 'invalid_request_error', code: 'invoice_already_paid' } as const;
      await ask(side, { method: 'POST', path: PAYMENTS, body }, { status: 409, error });
    },
  };
}

function sessionRow(): Row {
  return {
    id: 'code/session_invalid',
    section: 'Errors: 401 codes',
    what: 'a session of a page that has ended is 401 session_invalid',
    covers: ['code:401 session_invalid'],
    exempt: { sandbox: 'the stand-in has no pages: “details of session and OAuth flows: not shown”' },
    run: async (side) => {
      const headers = { 'X-Tilld-Page': 'x'.repeat(32), Cookie: `tilld-std=${'x'.repeat(32)}` };
      const error = { type: 'authentication_error', code: 'session_invalid' } as const;
      await ask(side, { path: PAYMENTS, headers }, { status: 401, error });
    },
  };
}

function internalRow(): Row {
  return {
    id: 'code/internal_only',
    section: FORBIDDEN,
    what: 'what is for the machine itself is 403 internal_only over TCP, whatever key it has',
    covers: ['code:403 internal_only', 'code:403 forbidden'],
    exempt: {
      sandbox: 'no path of the stand-in below /v2 is for its own machine: “All paths below are relative to”',
    },
    run: async (side) => {
      const error = { type: 'authorization_error', code: 'internal_only' } as const;
      for (const path of ['/v2/keys', '/v2/status']) await ask(side, { path }, { status: 403, error });
    },
  };
}

/** The row of the table that names this code. */
function exempt(code: string, why: string): Row {
  const found = OTHER_CODES.find(({ codes }) => codes.some((one) => one === code));
  if (!found) throw new Error(`the interface has no code ${code}`);
  const covered = found.codes.flatMap((one) => found.statuses.map((status) => `code:${status} ${one}`));
  const covers = [
    ...covered,
    ...(ONLY_EXEMPT.includes(code) ? found.statuses.map((status) => `status:${status}`) : []),
  ];
  return exemptRow(
    {
      id: `code/${code}`,
      section: CODES,
      what: `${found.codes.join(', ')}: ${found.statuses.join(' or ')}`,
      covers,
    },
    why,
  );
}
