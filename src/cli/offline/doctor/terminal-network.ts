import { isIP } from 'node:net';
import type { Config } from '../../../config/schema.ts';
import { type CheckResult, ok } from './check-result.ts';
import type { DiagnosticContext } from './diagnostic-context.ts';

type Device = Config['devices'][number];
type TcpLink = Extract<Device['link'], { type: 'tcp' }>;

/** What a ZVT terminal takes where nothing else was set in its menu. */
const FACTORY_PASSWORDS = ['000000', '123456'];

/**
 * Whether something else in the network could answer in the place of a terminal, or another till use it. Nothing to mend by a command: few
 * terminals have TLS, so this only says where there is none.
 */
export function checkTerminalNetwork({ configuration }: DiagnosticContext): readonly CheckResult[] {
  return (configuration.config?.devices ?? []).flatMap((device) =>
    device.link.type === 'tcp' && !isHere(device.link.host) ? [findingOf(device, device.link)] : [],
  );
}

function findingOf(device: Device, { tls, host }: TcpLink): CheckResult {
  const words = [
    tls
      ? `${device.name} proves by TLS that it is itself`
      : `${device.name} is reached at ${host} without TLS: what else is in that network could answer in its place, so keep tilld and its terminals in a network of their own, or use a cable`,
    ...(hasFactoryPassword(device)
      ? ['its ZVT password is the one of the factory, which any till knows']
      : []),
  ];
  return ok('terminal-network', words.join('; '));
}

function hasFactoryPassword({ driver, options }: Device): boolean {
  if (driver !== 'zvt') return false;
  const password =
    typeof options === 'object' && options !== null ? Reflect.get(options, 'password') : undefined;
  return password === undefined || FACTORY_PASSWORDS.includes(String(password));
}

function isHere(host: string): boolean {
  return host === 'localhost' || (isIP(host) === 4 && host.startsWith('127.')) || host === '::1';
}
