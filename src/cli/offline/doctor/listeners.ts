import { X509Certificate } from 'node:crypto';
import { lstatSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { counted } from '../../../base/counted.ts';
import { messageOf } from '../../../base/errors.ts';
import { portOwner } from '../../../runtime/port-owner.ts';
import { userOf } from '../../users.ts';
import { type CheckResult, fail, ok, warn } from './check-result.ts';
import type { DiagnosticContext } from './diagnostic-context.ts';
import { isWanted, SOCKET_UNIT } from './unit.ts';

/** Maximum length of a socket path on this operating system, in bytes. */
const LONGEST_SOCKET_PATH = 107;
const DAY_MS = 86_400_000;
const SOON_DAYS = 14;

/** The length of a socket path is limited. */
export function checkSocketPath({ files }: Pick<DiagnosticContext, 'files'>): CheckResult {
  const bytes = Buffer.byteLength(files.socket);
  if (bytes <= LONGEST_SOCKET_PATH) return ok('socket-path', `${files.socket} fits a socket`);
  return fail('socket-path', {
    what: `${files.socket} has ${bytes} bytes, the system allows ${LONGEST_SOCKET_PATH}`,
    why: 'tilld cannot open its socket there and does not start',
    fix: 'move the folder to a shorter path, then: tilld --state-dir SHORTER_PATH',
  });
}

/** The file at the path of the socket. */
export function checkSocket({ files, holder }: Pick<DiagnosticContext, 'files' | 'holder'>): CheckResult {
  const id = 'socket';
  const facts = lstatSync(files.socket, { throwIfNoEntry: false });
  const isRunning = holder().kind === 'alive';
  if (!facts) {
    if (!isRunning) return ok(id, `nothing is in the way of ${files.socket}`);
    return fail(id, {
      what: `tilld is running, and ${files.socket} is gone`,
      why: 'tillctl and the pages of this machine do not find it',
      fix: 'while no payment runs: systemctl restart tilld',
    });
  }
  if (!facts.isSocket())
    return fail(id, {
      what: `${files.socket} is no socket: something else took its name`,
      why: 'tilld cannot open its socket there and does not start',
      fix: `mv ${files.socket} ${files.socket}.moved, then: systemctl start tilld`,
    });
  if (isRunning) return ok(id, `${files.socket} is there`);
  return warn(id, {
    what: `${files.socket} is left over: no tilld is behind it`,
    why: 'tilld was killed or the power failed; tills that use the socket are refused',
    fix: 'systemctl start tilld (it removes it by itself)',
  });
}

/** Whether the port of the local API is free for the next start. */
export async function checkListen(context: DiagnosticContext): Promise<readonly CheckResult[]> {
  const { configuration, holder } = context;
  if (!configuration.config || holder().kind === 'alive') return [];
  const id = 'listen';
  const { host, port } = configuration.config.listen;
  if (port === 0) return [ok(id, 'any free port will do')];
  const error = await bindProblem(host, port);
  if (error === null) return [ok(id, `${host}:${port} is free`)];
  const owner = portOwner(port);
  // systemd is root's; what it holds for tilld is handed over at the start.
  if (owner === 0 && isWanted(SOCKET_UNIT, context.machine.units))
    return [ok(id, `${host}:${port} is held by root: systemd, for tilld (tilld.socket)`)];
  const by =
    owner === null ? '' : `, a program of ${userOf(owner, join(context.machine.etc, 'passwd'))} has it`;
  return [
    fail(id, {
      what: `tilld cannot listen on ${host}:${port}: ${error}${by}`,
      why: 'it does not start; a till that calls this port gives that program its API key, and believes what it answers',
      fix: `ss -ltnp 'sport = :${port}' names the program that has it; end that, or: tilld --listen ${host}:0`,
    }),
  ];
}

function bindProblem(host: string, port: number): Promise<string | null> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', (error) => resolve(messageOf(error)));
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(null)));
  });
}

/** The certificate of the local API. */
export function checkCertificate({
  configuration,
  now,
}: Pick<DiagnosticContext, 'configuration' | 'now'>): CheckResult {
  const id = 'certificate';
  const tls = configuration.config?.tls;
  if (!tls) return ok(id, 'the local interface needs no certificate');
  const mend = `put a valid pair into ${tls.certificate} and ${tls.key}, then: systemctl restart tilld`;
  try {
    const certificate = new X509Certificate(readFileSync(tls.certificate));
    const until = certificate.validTo;
    const days = Math.floor((Date.parse(until) - now) / DAY_MS);
    const why = 'tills refuse a server whose certificate is not valid';
    if (!/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(readFileSync(tls.key, 'utf8')))
      return fail(id, { what: `${tls.key} holds no private key`, why, fix: mend });
    if (days < 0)
      return fail(id, { what: `the certificate ${tls.certificate} has expired (${until})`, why, fix: mend });
    if (days < SOON_DAYS)
      return warn(id, {
        what: `the certificate ${tls.certificate} expires in ${counted(days, 'day', 'days')} (${until})`,
        why,
        fix: mend,
      });
    return ok(id, `the certificate is valid until ${until}`);
  } catch (error) {
    return fail(id, {
      what: `the certificate cannot be used: ${messageOf(error)}`,
      why: 'tilld does not start without it',
      fix: mend,
    });
  }
}
