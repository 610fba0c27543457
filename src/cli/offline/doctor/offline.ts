import { accessSync, constants } from 'node:fs';
import { isIP } from 'node:net';
import { messageOf } from '../../../base/errors.ts';
import type { Config } from '../../../config/schema.ts';
import { bareConnection } from '../../../net/bare-connection.ts';
import { type CheckResult, fail, ok, warn } from './check-result.ts';
import type { DiagnosticContext } from './diagnostic-context.ts';

type Device = Config['devices'][number];

const REACH_MS = 3_000;
const UNREACHED = {
  why: 'nothing can be sold through it, with or without the service',
  fix: 'see that it is on and plugged in, and that its address in the configuration is right; then: tillctl doctor --offline',
};

/** How payments are created while the service is unreachable. */
export function checkCreateLocal({ options, configuration }: DiagnosticContext): readonly CheckResult[] {
  const service = configuration.config?.service;
  if (!options.offline || !service) return [];
  const id = 'offline-reports';
  if (service.create_local === 'on')
    return [ok(id, 'payments that are started here are created at the service once it is back')];
  return [
    warn(id, {
      what: '"service.create_local" is off: payments that are started here stay `reported: pending`, also when the service is back',
      why: 'the service will not know of them; nothing is lost, they are charged and kept here',
      fix: 'see that the service honours our ids, then set "service.create_local": "on" and: tillctl config check',
    }),
  ];
}

/** Each terminal: whether it is reachable without online services. */
export async function checkReach(context: DiagnosticContext): Promise<readonly CheckResult[]> {
  const { options, configuration, holder } = context;
  if (!options.offline || !configuration.config) return [];
  const isRunning = holder().kind === 'alive';
  const { devices } = configuration.config;
  const findings = await Promise.all(
    devices.map(async (device) => [...nameFinding(device), await reachFinding(device, isRunning)]),
  );
  return findings.flat();
}

/** A name needs a look-up, and its DNS server may be behind the broken line. */
function nameFinding({ name, link }: Device): readonly CheckResult[] {
  if (link.type !== 'tcp' || isIP(link.host) !== 0 || link.host === 'localhost') return [];
  return [
    warn('offline-names', {
      what: `${name} is reached by a name, ${link.host}`,
      why: 'without the line no name server may know its address, and the shop could not sell',
      fix: 'give its IP address in the configuration, or put the name into /etc/hosts: getent hosts NAME shows what is known',
    }),
  ];
}

async function reachFinding({ name, link }: Device, isRunning: boolean): Promise<CheckResult> {
  const id = 'offline-terminals';
  if (link.type === 'virtual') return ok(id, `${name} is virtual`);
  // Many terminals accept one connection only: it belongs to the daemon.
  if (isRunning) return ok(id, `${name} is with the running tilld: tillctl devices shows how it is`);
  if (link.type === 'serial') return portFinding(name, link.path);
  if (link.type === 'hid') return ok(id, `${name} is searched for among the HID devices`);
  const port = link.port;
  if (port === undefined) return ok(id, `${name} is at the usual port of its driver: not tried`);
  const lack = await lackOf(`http://${isIP(link.host) === 6 ? `[${link.host}]` : link.host}:${port}`);
  if (lack === null) return ok(id, `${name} takes connections at ${link.host}:${port}`);
  return fail(id, { what: `${name} does not answer at ${link.host}:${port} (${lack})`, ...UNREACHED });
}

function portFinding(name: string, path: string | undefined): CheckResult {
  const id = 'offline-terminals';
  if (path === undefined || path === 'auto') return ok(id, `${name} is searched for among the serial ports`);
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
    return ok(id, `${name}: ${path} is there and may be used`);
  } catch (error) {
    return fail(id, { what: `${name}: ${messageOf(error)}`, ...UNREACHED });
  }
}

async function lackOf(url: string): Promise<string | null> {
  const tried = bareConnection(url);
  const timer = setTimeout(() => tried.close(), REACH_MS);
  await tried.ended;
  clearTimeout(timer);
  return tried.missing;
}
