import { isIP } from 'node:net';
import { checkServerIdentity, connect, type PeerCertificate } from 'node:tls';
import { AppError, messageOf } from '../../../base/errors.ts';
import { silentLog } from '../../../base/log.ts';
import { isLoopback } from '../../../base/loopback.ts';
import { readCredential } from '../../../config/credentials.ts';
import { serviceEnvironment, wrongKeyWords } from '../../../config/service-key.ts';
import { bareConnection } from '../../../net/bare-connection.ts';
import {
  createHttpClient,
  type HttpClient,
  type HttpReply,
  type HttpRequest,
} from '../../../net/http-client.ts';
import { HEADERS, PATHS, SERVICE_VERSION, type ServicePaths } from '../../../service/contract.ts';
import { type CheckResult, fail, ok } from './check-result.ts';
import type { DiagnosticContext } from './diagnostic-context.ts';
import { placesOf } from './places.ts';
import {
  type Asked,
  asked,
  clockFinding,
  devicesFinding,
  filtersFinding,
  keyFinding,
  versionFinding,
} from './service-answer.ts';

/** Each step has its own timeout; together they stay well below ten seconds. */
const CONNECT_MS = 2_500;
const TLS_MS = 2_500;
const ANSWER_MS = 3_000;
const CLOCKS_DIFFER_MS = 60_000;
const UNREPORTED = 'nothing is reported until it can; nothing is lost, and the shop sells on';

/** The connection to the service, its certificate, and its responses to the key. Four harmless reads. */
export async function checkService(context: DiagnosticContext): Promise<readonly CheckResult[]> {
  const { options, configuration, now } = context;
  const { config } = configuration;
  const url = config?.service?.url;
  if (options.offline || !config || url === undefined || serviceEnvironment(config) === 'mock') return [];
  const unreachable = await wayFinding(url);
  if (unreachable.level !== 'ok') return [unreachable];
  const tls = await tlsFinding(url, now);
  if (tls?.level === 'fail') return [unreachable, tls];
  const key = usableKey(context);
  const answers = key === null ? [] : await answersOf(url, context, key, now);
  return [unreachable, ...(tls ? [tls] : []), ...answers];
}

async function wayFinding(url: string): Promise<CheckResult> {
  const id = 'service';
  const { host, hostname } = new URL(url);
  const tried = bareConnection(url);
  const timer = setTimeout(() => tried.close(), CONNECT_MS);
  await tried.ended;
  clearTimeout(timer);
  switch (tried.missing) {
    case null:
      return ok(id, `${host} takes connections`);
    case 'name_resolution':
      return fail(id, {
        what: `the name of the service, ${hostname}, has no address`,
        why: UNREPORTED,
        fix: `getent hosts ${hostname}; without an answer: resolvectl status shows the name servers of this machine`,
      });
    case 'service':
      return fail(id, {
        what: `${host} refuses connections: the machine is there, and no program listens`,
        why: UNREPORTED,
        fix: `see that "service.url" and its port are right, then: curl -v ${url}/v2/`,
      });
    case 'line':
      return fail(id, {
        what: `${host} does not answer: there is no way to it`,
        why: UNREPORTED,
        fix: `ip route; ping -c 3 ${hostname}; a firewall must let this machine out to ${host}`,
      });
  }
}

/** Reads the certificate without trusting it: it reports every fault. */
async function tlsFinding(url: string, now: number): Promise<CheckResult | null> {
  const { protocol, hostname, port } = new URL(url);
  if (protocol !== 'https:') return null;
  const id = 'service-tls';
  const host = hostname.replace(/^\[|\]$/g, '');
  const seen = await certificateOf(host, Number(port || 443));
  const trouble = (what: string, fix: string) =>
    fail(id, { what, why: `tilld does not send the key to it: ${UNREPORTED}`, fix });
  const look = `openssl s_client -connect ${host}:${port || 443} -servername ${host}`;
  if ('error' in seen)
    return trouble(
      `${host} speaks no TLS: ${seen.error}`,
      `see that "service.url" and its port are right, then: ${look}`,
    );
  const { certificate, distrust } = seen;
  const until = Date.parse(certificate.valid_to);
  const name = checkServerIdentity(host, certificate);
  if (until < now)
    return trouble(
      `the certificate of ${host} has expired (${certificate.valid_to})`,
      `its operator must renew it; if the clock of this machine is wrong: timedatectl set-ntp true; ${look}`,
    );
  if (Date.parse(certificate.valid_from) > now + CLOCKS_DIFFER_MS)
    return trouble(
      `the certificate of ${host} is not valid before ${certificate.valid_from}`,
      'the clock of this machine is probably wrong: timedatectl set-ntp true',
    );
  if (name)
    return trouble(
      `the certificate of ${host} is for another name (${certificate.subjectaltname ?? String(certificate.subject.CN)})`,
      `correct "service.url"; what answers there: ${look}`,
    );
  if (distrust !== null)
    return trouble(
      `the certificate of ${host} is not trusted here (${distrust})`,
      `what answers there: ${look}; a proxy that opens TLS must let ${host} through; for an authority of your own: systemctl edit tilld (Environment=NODE_EXTRA_CA_CERTS=FILE)`,
    );
  return ok(id, `the certificate of ${host} is valid until ${certificate.valid_to}`);
}

type Seen =
  | { readonly certificate: PeerCertificate; readonly distrust: string | null }
  | { readonly error: string };

function certificateOf(host: string, port: number): Promise<Seen> {
  return new Promise((resolve) => {
    const named = isIP(host) === 0 ? { servername: host } : {};
    const socket = connect({ host, port, ...named, rejectUnauthorized: false, timeout: TLS_MS });
    const end = (seen: Seen) => {
      socket.destroy();
      resolve(seen);
    };
    socket.once('secureConnect', () => {
      const reason: unknown = socket.authorizationError;
      const distrust = socket.authorized ? null : messageOf(reason);
      end({ certificate: socket.getPeerCertificate(), distrust });
    });
    socket.once('timeout', () => end({ error: `no handshake within ${TLS_MS} ms` }));
    socket.once('error', (error) => end({ error: messageOf(error) }));
  });
}

interface Key {
  readonly value: string;
  readonly source: string;
}

/** The key as the daemon would send it; another check reports why there is none. */
function usableKey({ configuration, files, io }: DiagnosticContext): Key | null {
  const { config } = configuration;
  const environment = config && serviceEnvironment(config);
  if (!config?.service || !environment) return null;
  try {
    const found = readCredential(config.service.credential, {
      stateDir: files.folder,
      env: placesOf(io.env),
    });
    return found && wrongKeyWords(found.value, environment, found.source) === null ? found : null;
  } catch {
    return null;
  }
}

async function answersOf(
  url: string,
  { configuration }: DiagnosticContext,
  key: Key,
  now: number,
): Promise<readonly CheckResult[]> {
  const paths = { ...PATHS, ...presentIn(configuration.config?.service?.paths ?? {}) };
  const http = createHttpClient({
    baseUrl: `${url}/v2`,
    log: silentLog,
    connectTimeoutMs: CONNECT_MS,
    requestTimeoutMs: ANSWER_MS,
    retry: { retries: 0 },
  });
  const ids = (configuration.config?.devices ?? []).map(({ id }) => id);
  try {
    const filter = { status: 'requested', device_id: ids };
    const [filtered, ...answers] = await Promise.all([
      ask(http, 'payments', paths.payments, '20', key, filter),
      ask(http, 'devices', paths.devices, '100', key),
      ask(http, 'payments', paths.payments, '1', key),
      ask(http, 'events', paths.events, '1', key),
    ]);
    const findings = findingsOf(answers, ids, { source: key.source, url, now });
    return [...findings, ...filtersFinding(filtered, ids)];
  } catch (error) {
    return [noAnswer(url, error)];
  } finally {
    await http.close();
  }
}

async function ask(
  http: HttpClient,
  what: Asked['what'],
  path: string,
  limit: string,
  { value }: Key,
  filter: HttpRequest['query'] = {},
): Promise<Asked> {
  const headers = { accept: 'application/json', [HEADERS.key]: value, [HEADERS.version]: SERVICE_VERSION };
  const signal = AbortSignal.timeout(ANSWER_MS);
  const request = { method: 'GET', path, query: { limit, ...filter }, headers, once: true, signal } as const;
  const reply = await http.request(request);
  return asked(what, reply);
}

function findingsOf(
  answers: readonly Asked[],
  ids: readonly string[],
  place: Parameters<typeof keyFinding>[1],
): readonly CheckResult[] {
  const [first] = answers;
  if (!first) return [];
  const isPlain = ({ answer }: Asked) => answer.kind === 'applied';
  const keys = answers.map((one) => keyFinding(one, place));
  const troubles = keys.filter(({ level }) => level !== 'ok');
  // One rejection of the key is enough: the other two would only repeat it.
  const distinct = troubles.filter(
    ({ what }, at) => troubles.findIndex((other) => other.what === what) === at,
  );
  const devices = answers.find(({ what }) => what === 'devices');
  return [
    ...(distinct.length > 0 ? distinct : [ok('service-key', 'the service takes the key')]),
    ...(isPlain(first) ? [versionFinding(first, place)] : []),
    ...(devices && isPlain(devices) ? [devicesFinding(devices, ids)] : []),
    ...clockFinding(skewOf(first.reply, place.now)),
  ];
}

/** `Date` has whole seconds. */
function skewOf({ dateMs }: HttpReply, now: number): number | null {
  return dateMs === null ? null : dateMs - now;
}

function noAnswer(url: string, error: unknown): CheckResult {
  const code = error instanceof AppError ? `${error.code}: ` : '';
  const words = isLoopback(new URL(url).hostname) ? '' : '; a firewall or a proxy may hold it back';
  return fail('service', {
    what: `${url} takes connections and gives no answer (${code}${messageOf(error)})`,
    why: UNREPORTED,
    fix: `curl -sv ${url}/v2/terminal-devices shows how far it comes${words}`,
  });
}

/** Only existing paths: an absent path keeps its default. */
function presentIn(paths: Readonly<Record<string, string | undefined>>): Partial<ServicePaths> {
  return Object.fromEntries(Object.entries(paths).filter(([, path]) => path !== undefined));
}
