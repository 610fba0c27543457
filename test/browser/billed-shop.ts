import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { idOf } from '../../src/sandbox/service/catalogue.ts';
import { aWorld, Daemon, type World } from '../support/daemon.ts';
import { askOver } from '../support/socket.ts';

/** Invoices of the sandbox's account from the start; every third one is paid. */
const GENERATED = 40;
const CREATED = 80;
const ALL = GENERATED + CREATED;
const LOOKS = 120;

/** What the sandbox's account calls its customers. */
export const CUSTOMER = 'Customer 7';
const CUSTOMER_ID = idOf('customers', 6);

export interface Billed {
  readonly world: World;
  readonly daemon: Daemon;
  /** Ids of the created invoices, by their numbers. */
  readonly ids: ReadonlyMap<string, string>;
}

/** A shop whose mirror has 120 invoices: `RE-2026-0001` to `-0080` of one customer, of which the last is a draft and the one before is void. */
export async function aBilledShop(
  lists: readonly string[],
  prepared = async (_: World) => {},
): Promise<Billed> {
  const world = await aWorld({ autopilotMs: 200 }, { mirror: { lists } });
  const ids = new Map<string, string>();
  for (let no = 1; no <= CREATED; no += 1) ids.set(numberOf(no), await created(world, no));
  await posted(world, `/v2/invoices/${ids.get(numberOf(CREATED - 1))}/void`, {});
  limited(world, { ask_above_minor: 1_000_000 });
  await prepared(world);
  const daemon = await Daemon.start(world);
  await mirrored(daemon, lists);
  return { world, daemon, ids };
}

/** Sets keys of the one device. */
export function limited(world: World, keys: object): void {
  const config = JSON.parse(readFileSync(world.config, 'utf8'));
  Object.assign(config.devices[0], keys);
  writeFileSync(world.config, JSON.stringify(config));
}

export function numberOf(no: number): string {
  return `RE-2026-${String(no).padStart(4, '0')}`;
}

/** What is due of the n-th created invoice, in minor units. */
export function dueOf(no: number): number {
  return 100_000 + no * 111;
}

/** Waits until the mirror has every list as a whole. */
async function mirrored(daemon: Daemon, lists: readonly string[]): Promise<void> {
  for (let look = 0; look < LOOKS; look += 1) {
    const { data } = (await askOver(daemon.socket, 'GET', '/v2/mirror')) as { data: Summary[] };
    const rows = data.find(({ list }) => list === 'invoices')?.rows;
    const whole = data.filter(({ fresh_at }) => fresh_at !== null);
    if (whole.length === lists.length && (rows ?? ALL) === ALL) return;
    await after(250);
  }
  throw new Error('the mirror was never whole');
}

interface Summary {
  readonly list: string;
  readonly rows: number;
  readonly fresh_at: string | null;
}

async function created(world: World, no: number): Promise<string> {
  const { data } = await posted(world, '/v2/invoices', {
    customer_id: CUSTOMER_ID,
    number: numberOf(no),
    currency: 'EUR',
    total_minor: dueOf(no),
  });
  if (no < CREATED) await posted(world, `/v2/invoices/${data.id}/finalize`, {});
  return data.id;
}

async function posted(world: World, path: string, body: object): Promise<{ data: { id: string } }> {
  const key = readFileSync(join(world.folder, 'state', 'credentials', 'service-key'), 'utf8');
  const answer = await fetch(`${world.service.url}${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'idempotency-key': crypto.randomUUID(),
    },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as { data: { id: string } };
}
