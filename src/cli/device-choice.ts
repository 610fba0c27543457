import { listOf } from '../api/contract/primitives.ts';
import { TerminalDevice } from '../api/contract/terminal-device.ts';
import { AppError } from '../base/errors.ts';
import { canonicalId, isUuid } from '../base/ids.ts';
import type { Currency } from '../base/money.ts';
import type { DaemonClient } from './client.ts';
import { withName } from './naming.ts';

const PAGE = 100;
const MOST_PAGES = 10;

/**
 * Finds a device by id or by name, case-insensitive; `counter-1` is `Counter 1`, too.
 * @throws REFUSED (resource_not_found) when there is none, USAGE when several have the name.
 */
export async function chooseDevice(
  client: DaemonClient,
  wanted: string,
  signal?: AbortSignal,
): Promise<TerminalDevice> {
  const devices = await allDevices(client, signal);
  const byId = devices.find((device) => device.id === canonicalId(wanted));
  if (byId) return byId;
  const [found, another] = withName(devices, wanted);
  if (found && another) {
    throw new AppError(
      'USAGE',
      `several devices are called "${found.name}": say --device ${found.id} or --device ${another.id}`,
    );
  }
  return found ?? unknown(wanted, devices);
}

/** Names of the configured terminals by their ids. */
export async function deviceNames(client: DaemonClient): Promise<ReadonlyMap<string, string>> {
  const devices = await allDevices(client, undefined);
  return new Map(devices.map(({ id, name }) => [id, name]));
}

/** The currencies in which the configured terminals take payments. */
export async function deviceCurrencies(client: DaemonClient): Promise<readonly Currency[]> {
  const devices = await allDevices(client, undefined);
  return [...new Set(devices.map(({ currency }) => currency))];
}

async function allDevices(
  client: DaemonClient,
  signal: AbortSignal | undefined,
): Promise<readonly TerminalDevice[]> {
  const devices: TerminalDevice[] = [];
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const path = `/v2/terminal-devices?limit=${PAGE}&offset=${page * PAGE}`;
    const { value } = await client.call({ path, signal }, listOf(TerminalDevice));
    devices.push(...value.data);
    if (!value.has_more) break;
  }
  return devices;
}

function unknown(wanted: string, devices: readonly TerminalDevice[]): never {
  const what = isUuid(wanted) ? 'with the id' : 'called';
  const names = devices.slice(0, 20).map((device) => `"${device.name}"`);
  const known = names.length === 0 ? 'none is configured' : `there is ${names.join(', ')}`;
  const message = `there is no device ${what} "${wanted.slice(0, 64)}"; ${known}`;
  const error = { type: 'invalid_request_error', code: 'resource_not_found', message, param: 'device_id' };
  throw new AppError('REFUSED', message, { context: { status: 404, document: { error } } });
}
