// Till software as an integrator writes it: everything it knows of the interface comes from the client that was generated from the
// description. It is compiled and run by `generated-client.test.ts`, in a folder of its own beside the client.
import { client } from './client/client.gen.js';
import {
  createTerminalPayment,
  getTerminalPayment,
  listEvents,
  listTerminalDevices,
  refundTerminalPayment,
} from './client/sdk.gen.js';
import type {
  CreateTerminalPayment,
  ErrorEnvelope,
  Event,
  FlatError,
  IdempotencyError,
  TerminalDevice,
  TerminalPayment,
} from './client/types.gen.js';

declare const process: { readonly argv: readonly string[]; exitCode: number };
declare const console: { log(line: string): void };

const [, , baseUrl = '', key = '', nobody = ''] = process.argv;
client.setConfig({ baseUrl, auth: key });

/** Waits until money has moved or has not. */
async function final(id: string): Promise<TerminalPayment> {
  for (;;) {
    const { data } = await getTerminalPayment({ path: { id }, throwOnError: true });
    if (data.data.status !== 'requested' && data.data.status !== 'in_progress') return data.data;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** Every event, two at a time. */
async function everyEvent(): Promise<readonly Event[]> {
  const seen: Event[] = [];
  for (;;) {
    const after = seen.at(-1)?.id;
    const query = after === undefined ? { limit: 2 } : { limit: 2, starting_after: after };
    const { data } = await listEvents({ query, throwOnError: true });
    seen.push(...data.data);
    if (!data.has_more) return seen;
  }
}

/** The code of any refusal: the generated types know three shapes of them. */
function codeOf(error: ErrorEnvelope | FlatError | IdempotencyError | undefined): string | undefined {
  if (error === undefined) return undefined;
  if (typeof error.error !== 'string') return error.error.code;
  return 'code' in error ? error.code : 'route_unknown';
}

const devices = await listTerminalDevices({ throwOnError: true });
const device: TerminalDevice | undefined = devices.data.data[0];
if (device === undefined) throw new Error('no device');

const sale: CreateTerminalPayment = {
  device_id: device.id,
  amount_minor: 1234,
  currency: device.currency,
  reference: 'order 1042',
};
const keyed = { 'Idempotency-Key': '6f1c2a1e-8f0e-4c39-9a55-0f6a4f5b7d11' };
const created = await createTerminalPayment({ body: sale, headers: keyed, throwOnError: true });
const paid = await final(created.data.data.id);
const again = await createTerminalPayment({ body: sale, headers: keyed, throwOnError: true });
const other = await createTerminalPayment({ body: { ...sale, amount_minor: 1 }, headers: keyed });
const unknown = await getTerminalPayment({ path: { id: nobody } });
const lessThanNothing = await createTerminalPayment({ body: { ...sale, amount_minor: -1 } });
const refund = await refundTerminalPayment({
  path: { id: paid.id },
  body: { amount_minor: 500 },
  headers: { 'Idempotency-Key': 'give back 5' },
  throwOnError: true,
});
const givenBack = await final(refund.data.data.id);
const events = await everyEvent();

const standing: 'yes' | 'no' | 'unknown' = paid.charged;

// What the description does not know must not compile: without these the types could as well be `any`.
// @ts-expect-error a sale names its terminal
const incomplete: CreateTerminalPayment = { amount_minor: 1, currency: 'EUR' };
// @ts-expect-error a request has no other fields
const misspelt: CreateTerminalPayment = { ...sale, ammount: 1 };
// @ts-expect-error whether money moved is yes, no or unknown
const charged: 'maybe' = paid.charged;
// @ts-expect-error an error is not there before it was looked for
const code: string = unknown.error.error.code;
void [incomplete, misspelt, charged, code];

console.log(
  JSON.stringify({
    device: device.name,
    first: created.data.data.status,
    paid: { status: paid.status, charged: standing, amount: paid.approved_amount_minor },
    again: {
      same: again.data.data.id === created.data.data.id,
      replayed: again.response.headers.get('Idempotent-Replayed'),
    },
    other: { status: other.response?.status, code: codeOf(other.error) },
    unknown: { status: unknown.response?.status, code: codeOf(unknown.error) },
    lessThanNothing: { status: lessThanNothing.response?.status, code: codeOf(lessThanNothing.error) },
    givenBack: { type: givenBack.type, charged: givenBack.charged, parent: givenBack.parent_id === paid.id },
    events: events.map(({ type }) => type),
    once: new Set(events.map(({ id }) => id)).size === events.length,
  }),
);
