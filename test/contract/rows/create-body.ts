import { randomUUID } from 'node:crypto';
import type { ExpectedError } from '../expect.ts';
import { ask, type Group, type Row } from '../row.ts';
import { PAYMENTS, saleOf } from './sales.ts';

const SECTION = 'Endpoints: Terminal';

/** What stands in the body of a new payment, and what may not: the fields that the interface does not show are decided by us. */
export const createBodyGroup: Group = {
  name: 'the body of a new payment',
  rows: [
    missing('device_id'),
    missing('amount_minor'),
    missing('currency'),
    ...wrong('device_id', ['counter-1', '', 7, null]),
    ...wrong('amount_minor', [0, -1, 1.5, '12.34', '1234', true, null, 1e300]),
    ...wrong('currency', ['eur', 'EURO', '978', '', 978, null]),
    ...wrong('invoice_id', ['invoice-7', '', 7]),
    ...wrong('reference', ['', 'x'.repeat(65), 'tab\there', 7]),
    ...wrong('metadata', ['text', [1], 7]),
    {
      id: 'create/unknown-device',
      section: SECTION,
      what: 'a device that the merchant has not is 404 and named: nothing is routed, not even with one terminal',
      covers: ['code:404 resource_not_found', 'status:404'],
      run: async (side) => {
        const body = saleOf(side, { device_id: randomUUID() });
        const error = {
          type: 'invalid_request_error',
          code: ['resource_not_found', 'resource_missing'],
          param: 'device_id',
        } as const;
        await ask(side, { method: 'POST', path: PAYMENTS, body }, { status: 404, error });
      },
    },
    ...[[], 'text', 7, null, true].map(noObjectRow),
  ],
};

function missing(param: string): Row {
  return refused(
    `without-${param}`,
    `without ${param} it is 400 missing_required_field`,
    { [param]: undefined },
    {
      type: 'invalid_request_error',
      code: 'missing_required_field',
      param,
    },
  );
}

function wrong(param: string, values: readonly unknown[]): readonly Row[] {
  return values.map((value, index) =>
    refused(
      `${param}-${index + 1}`,
      `${param} ${JSON.stringify(value).slice(0, 40)} is 400 and named`,
      { [param]: value },
      {
        type: 'invalid_request_error',
        code: 'validation_error',
        param,
      },
    ),
  );
}

function refused(
  id: string,
  what: string,
  change: Readonly<Record<string, unknown>>,
  error: ExpectedError,
): Row {
  return {
    id: `create/${id}`,
    section: SECTION,
    what,
    covers: [`code:400 ${[error.code].flat().join()}`, 'field:error.param', 'status:400'],
    run: async (side) =>
      void (await ask(
        side,
        {
          method: 'POST',
          path: PAYMENTS,
          body: { ...saleOf(side, { device_id: side.devices[0] }), ...change },
        },
        { status: 400, error },
      )),
  };
}

function noObjectRow(body: unknown): Row {
  return {
    id: `create/body-${JSON.stringify(body)}`,
    section: 'Errors: Status codes',
    what: `a body that is ${JSON.stringify(body)} is 400 in the envelope`,
    covers: ['status:400'],
    run: async (side) => {
      const error = {
        type: 'invalid_request_error',
        code: ['validation_error', 'invalid_request_error', 'missing_required_field'],
        param: null,
      } as const;
      await ask(side, { method: 'POST', path: PAYMENTS, body: JSON.stringify(body) }, { status: 400, error });
    },
  };
}
