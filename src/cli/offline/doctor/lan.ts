import { X509Certificate } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { authorityFile, readAuthority } from '../../../agent/authority-place.ts';
import { counted } from '../../../base/counted.ts';
import { messageOf } from '../../../base/errors.ts';
import { fingerprintOf, hostOf } from '../../../certificates/authority.ts';
import { type CheckResult, fail, ok, warn } from './check-result.ts';
import type { DiagnosticContext } from './diagnostic-context.ts';

const DAY_MS = 86_400_000;
const SOON_DAYS = 180;
const ANSWER_MS = 2_500;
/** Of others than the owner. */
const OPEN_BITS = 0o077;

/** Devices of the shop: the authority that they trust, the name by which they find this machine, and what it serves them. */
export async function checkLan(context: DiagnosticContext): Promise<readonly CheckResult[]> {
  const lan = context.configuration.config?.listen.lan;
  if (!lan) return [ok('lan-authority', 'nothing is served in the network of the shop')];
  const authority = checkAuthority(lan.name, context);
  const name = checkName(lan.name, context);
  if (authority.level === 'fail') return [authority, name];
  return [authority, name, ...(await checkServed(lan, context))];
}

function checkAuthority(name: string, { files, now }: DiagnosticContext): CheckResult {
  const id = 'lan-authority';
  const path = authorityFile(files.credentials, name);
  const anew = `mv ${path} ${path}.old, then: systemctl restart tilld; every device trusts the new one first (tillctl devices pair)`;
  try {
    const authority = readAuthority(path);
    if (!authority)
      return ok(id, `the authority of ${hostOf(name)} is made when tilld starts and the clock is right`);
    const { validFromDate, validToDate } = new X509Certificate(authority.cert);
    if ((statSync(path).mode & OPEN_BITS) !== 0)
      return fail(id, {
        what: `others than its owner can read ${path}`,
        why: `a person who has this key can stand as ${hostOf(name)} before the devices of the shop, and read what they send`,
        fix: `chmod 600 ${path}; if it was read: ${anew}`,
      });
    if (now < validFromDate.getTime() || now >= validToDate.getTime())
      return fail(id, {
        what: `the authority of ${hostOf(name)} is good from ${dayOf(validFromDate)} to ${dayOf(validToDate)}, and the clock says ${dayOf(new Date(now))}`,
        why: 'no device of the shop reaches tilld; the tills of this machine are not affected',
        fix: `timedatectl set-ntp true; if the clock is right: ${anew}`,
      });
    const days = Math.floor((validToDate.getTime() - now) / DAY_MS);
    if (days < SOON_DAYS)
      return warn(id, {
        what: `the authority of ${hostOf(name)} ends in ${counted(days, 'day', 'days')} (${dayOf(validToDate)})`,
        why: 'no device of the shop reaches tilld then',
        fix: anew,
      });
    const fingerprint = fingerprintOf(authority.cert);
    return ok(id, `the authority of ${hostOf(name)} is good until ${dayOf(validToDate)}: ${fingerprint}`);
  } catch (error) {
    return fail(id, {
      what: messageOf(error),
      why: 'no device of the shop reaches tilld; the tills of this machine are not affected',
      fix: `sudo tillctl doctor, if you may not read it; else ${anew}`,
    });
  }
}

/** A name ends in `.local` only where this machine has it and a program announces it. */
function checkName(name: string, { machine }: DiagnosticContext): CheckResult {
  const id = 'lan-name';
  const own = machine.hostname.split('.')[0]?.toLowerCase();
  const why = `devices do not find ${hostOf(name)}`;
  if (own !== name)
    return warn(id, {
      what: `this machine is called ${own}, and "listen.lan.name" is ${name}`,
      why,
      fix: `sudo hostnamectl set-hostname ${name}, or set "listen.lan.name" to ${own} and: systemctl restart tilld`,
    });
  if (existsSync(join(machine.run, 'avahi-daemon/pid'))) return ok(id, `avahi announces ${hostOf(name)}`);
  return warn(id, {
    what: `avahi does not run: nothing announces ${hostOf(name)}`,
    why,
    fix: 'sudo apt-get install avahi-daemon',
  });
}

async function checkServed(
  lan: { readonly name: string; readonly host?: string | undefined; readonly port: number },
  { files, holder, options }: DiagnosticContext,
): Promise<readonly CheckResult[]> {
  const authority = readAuthority(authorityFile(files.credentials, lan.name));
  if (!authority || options.offline || lan.port === 0 || holder().kind !== 'alive') return [];
  const id = 'lan';
  const error = await handshakeProblem(lan.host ?? '127.0.0.1', lan.port, hostOf(lan.name), authority.cert);
  if (error === null)
    return [ok(id, `devices of the shop are served at https://${hostOf(lan.name)}:${lan.port}`)];
  return [
    fail(id, {
      what: `devices of the shop are not served at port ${lan.port}: ${error}`,
      why: 'no tablet reaches tilld; the tills of this machine are not affected',
      fix: `ss -ltnp 'sport = :${lan.port}' names the program that has it; journalctl -u tilld says what tilld waits for`,
    }),
  ];
}

/** What is wrong with what answers there, by the word of a client that trusts the authority alone. */
function handshakeProblem(
  host: string,
  port: number,
  servername: string,
  ca: string,
): Promise<string | null> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, servername, ca, timeout: ANSWER_MS });
    const end = (problem: string | null) => {
      socket.destroy();
      resolve(problem);
    };
    socket.once('secureConnect', () => end(null));
    socket.once('error', (error) => end(messageOf(error)));
    socket.once('timeout', () => end('no answer'));
  });
}

function dayOf(date: Date): string {
  return date.toISOString().slice(0, 10);
}
