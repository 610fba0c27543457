import { recordOf } from '../../../src/sandbox/service/catalogue.ts';
import { DEVICE_ID } from '../../support/attempts.ts';
import { aWorld, Daemon, eventually, type World } from '../../support/daemon.ts';
import { type Reply, Till } from '../../support/till.ts';

const FINAL = ['succeeded', 'declined', 'cancelled', 'error'];
const SERVICE = { 'x-api-key': 'rk_sandbox_daemon_under_test', 'content-type': 'application/json' };
export const [PAID, OPEN] = [0, 1].map((index) => recordOf('invoices', index));
/** An id that no invoice has. */
export const NOWHERE = '0199c0de-0001-7000-8000-00000000ffff';

/** A till at a shop whose service has a mirror here. */
export async function aShop(changes: object = {}, serviceChanges: object = {}) {
  const world = await aWorld({ autopilotMs: 20 }, changes, serviceChanges);
  const daemon = await Daemon.start(world);
  const till = await Till.at(daemon);
  const ask = (body: object) => till.ask('POST', '/terminal-payments', { device_id: DEVICE_ID, ...body });
  /** The end of a payment, or why there is none. */
  const pay = async (body: object): Promise<Reply['body']> => {
    const reply = await ask(body);
    if (reply.status >= 300) return { status: reply.status, ...reply.body.error };
    return ended(`/terminal-payments/${reply.body.data.id}`);
  };
  const ended = (path: string) =>
    eventually(async () => {
      const { data } = (await till.ask('GET', path)).body;
      return FINAL.includes(data.status) && data.reported !== 'pending' && data;
    });
  const refund = async (id: string, amount_minor: number) => {
    const made = await till.ask('POST', `/terminal-payments/${id}/refund`, { amount_minor });
    return ended(`/terminal-payments/${made.body.data.id}`);
  };
  return { world, daemon, till, pay, refund };
}

/** An open invoice of the service over this amount, or one in a state on the way there. */
export async function anInvoice(
  { service }: World,
  changes: object = {},
  steps: readonly string[] = ['finalize'],
) {
  const post = async (path: string, body?: object) => {
    const init = { method: 'POST', headers: SERVICE, body: JSON.stringify(body ?? {}) };
    return (await (await fetch(`${service.url}/v2/invoices${path}`, init)).json()).data;
  };
  const customer_id = recordOf('customers', 0)['id'];
  const made = await post('', { customer_id, currency: 'EUR', total_minor: 1000, ...changes });
  for (const step of steps) await post(`/${made.id}/${step}`);
  return { invoice_id: String(made.id) };
}

export const standsAtService = async ({ service }: World, { invoice_id: id }: { invoice_id: string }) => {
  const { data } = await (await fetch(`${service.url}/v2/invoices/${id}`, { headers: SERVICE })).json();
  return [data.status, data.amount_due_minor];
};
export const charged = ({ terminal }: World) =>
  terminal.snapshot().ledger.map(({ kind, amountMinor }) => [kind, amountMinor]);
