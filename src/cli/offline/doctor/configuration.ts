import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { virtualTerminals } from '../../../../drivers/virtual.ts';
import { knownDrivers } from '../../../agent/hosted-drivers.ts';
import { checkedIntegrations } from '../../../agent/served-integrations.ts';
import { counted } from '../../../base/counted.ts';
import { messageOf } from '../../../base/errors.ts';
import { parseDeviceOptions, withdrawnOptions } from '../../../config/device-options.ts';
import { configFiles } from '../../../config/load.ts';
import { problemText } from '../../../config/problem.ts';
import type { Config } from '../../../config/schema.ts';
import { type CheckResult, fail, ok, warn } from './check-result.ts';
import type { DiagnosticContext } from './diagnostic-context.ts';

const OTHERS_WRITE = 0o002;

/** The file, each device with its driver, each integration with its connector and the recipe that it names. */
export async function checkConfig({
  configuration,
}: Pick<DiagnosticContext, 'configuration'>): Promise<readonly CheckResult[]> {
  const { file, config } = configuration;
  const error = config === null ? configuration.error : driverProblem(config, file);
  if (config === null || error !== null)
    return [
      fail('config', {
        what: `${file}: ${messageOf(error)}`,
        why: 'tilld does not start with it',
        fix: `correct the file, then: tillctl config check ${file}`,
      }),
    ];
  const { refused } = await checkedIntegrations(config, file, configuration.refused);
  if (refused.length === 0) return [ok('config', `${configFiles(file).join(', ')}: fine`)];
  return refused.map(({ name, problems }) =>
    fail('config', {
      what: `${name} is refused: ${problems.map((problem) => problemText({ file, ...problem })).join('; ')}`,
      why: 'tilld sells and runs everything else, and reads nothing of this provider; what it has read of it stays',
      fix: `correct the file, then: tillctl config check ${file} && systemctl restart tilld`,
    }),
  );
}

function driverProblem(config: Config, file: string): unknown {
  try {
    parseDeviceOptions(config, knownDrivers(config), file);
    return null;
  } catch (error) {
    return error;
  }
}

/** The writer of the configuration file decides where money is sent. */
export function checkConfigFile({ configuration }: Pick<DiagnosticContext, 'configuration'>): CheckResult {
  const id = 'config-file';
  const { file } = configuration;
  const files = [...configFiles(file), join(dirname(file), 'conf.d')];
  const open = files.filter((path) => othersWrite(path));
  if (open.length === 0) return ok(id, `${file} is closed to other writers`);
  const names = open.join(' ');
  return fail(id, {
    what: `every user of this machine can write ${names}`,
    why: 'a person who changes it can send payments to another terminal, and the key to another service',
    fix: `chmod o-w ${names}, then look at it: tillctl config check ${file}`,
  });
}

function othersWrite(path: string): boolean {
  const facts = statSync(path, { throwIfNoEntry: false });
  return facts !== undefined && (facts.mode & OTHERS_WRITE) !== 0;
}

/** Settings that are valid but rarely intended. */
export function checkSettings({
  configuration,
}: Pick<DiagnosticContext, 'configuration'>): readonly CheckResult[] {
  const { config, file } = configuration;
  if (!config) return [];
  return [
    devicesFinding(config, file),
    optionsFinding(config, file),
    environmentFinding(config, file),
    levelFinding(config, file),
  ];
}

function devicesFinding({ devices }: Config, file: string): CheckResult {
  const id = 'devices';
  if (devices.length > 0)
    return ok(id, counted(devices.length, 'device is configured', 'devices are configured'));
  return warn(id, {
    what: `no device is configured in ${file}`,
    why: 'without a terminal nothing can be sold',
    fix: `add it under "devices", then: tillctl config check ${file} && systemctl restart tilld`,
  });
}

function optionsFinding(config: Config, file: string): CheckResult {
  const id = 'device-options';
  const withdrawn = withdrawnOptions(config, knownDrivers(config), virtualTerminals);
  if (withdrawn.length === 0) return ok(id, 'every option of the devices has an effect');
  return warn(id, {
    what: withdrawn.map(({ path, device, words }) => `${device}: ${path} ${words}`).join('; '),
    why: 'tilld sells as if it were not there',
    fix: `remove it in ${file}, then: tillctl config check ${file} && systemctl restart tilld`,
  });
}

function environmentFinding({ environment, devices }: Config, file: string): CheckResult {
  const id = 'environment';
  const real = devices.filter(({ link }) => link.type !== 'virtual' && !isOfThisMachine(link));
  const virtual = devices.filter(({ link }) => link.type === 'virtual');
  if (environment === 'sandbox' && real.length > 0)
    return warn(id, {
      what: `the environment is "sandbox", and ${namesOf(real)} may be real terminals`,
      why: 'they may move real money, and the live service never hears of it',
      fix: `if this shop is live, set "environment": "live" in ${file}, then: tillctl config check ${file}`,
    });
  if (environment === 'live' && virtual.length > 0)
    return fail(id, {
      what: `the environment is "live", and ${namesOf(virtual)} is virtual`,
      why: 'a virtual terminal approves what no customer has paid',
      fix: `give it a real link in ${file}, then: tillctl config check ${file}`,
    });
  return ok(id, `the environment is "${environment}"`);
}

/** A terminal on loopback or on a pty is a simulator. */
function isOfThisMachine(link: Config['devices'][number]['link']): boolean {
  if (link.type === 'tcp') return /^(localhost|127\..*|::1)$/.test(link.host);
  return link.type === 'serial' && (link.path?.startsWith('/dev/pts/') ?? false);
}

function namesOf(devices: Config['devices']): string {
  return devices.map(({ name }) => name).join(', ');
}

function levelFinding({ environment, log }: Config, file: string): CheckResult {
  const id = 'log-level';
  const isLoud = log.level === 'trace' || log.level === 'debug';
  if (environment !== 'live' || !isLoud) return ok(id, `the log is kept from "${log.level}" on`);
  return warn(id, {
    what: `the log is kept from "${log.level}" on in a live shop`,
    why: 'every frame of every payment is written: the disk fills, and the log shows more than it should',
    fix: `set "log": { "level": "info" } in ${file}, then: systemctl restart tilld`,
  });
}
