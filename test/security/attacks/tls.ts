import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls';
import { type Attack, judge, type Refusal } from '../attack.ts';
import { Crowd } from '../crowd.ts';
import type { Field } from '../field.ts';
import { request, sale } from '../request.ts';
import { hear, speak } from '../wire.ts';

const TLS = 'TLS';
/** Lets this client offer what no server should take any more. */
const ANYTHING = 'ALL:COMPLEMENTOFALL:@SECLEVEL=0';

function dialTls(field: Field, options: ConnectionOptions = {}): TLSSocket {
  const ca = field.certificate?.pem ?? '';
  return connect({ ...field.tcp, ca, servername: 'till.shop', ...options });
}

/** The protocol that a handshake ends in, or the error it ends with. */
function handshake(field: Field, options: ConnectionOptions): Promise<string> {
  const socket = dialTls(field, options);
  return new Promise<string>((resolve) => {
    socket.once('secureConnect', () => resolve(socket.getProtocol() ?? 'none'));
    socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    socket.once('close', () => resolve('closed'));
  }).finally(() => socket.destroy());
}

function shaken(name: string, expected: RegExp, options: ConnectionOptions): Attack {
  return {
    group: TLS,
    name,
    expected: expected.source,
    at: 'tls',
    run: async (field) => {
      const came = await handshake(field, options);
      return { came, pass: expected.test(came) };
    },
  };
}

/** One request inside TLS. */
function inside(name: string, refusal: Refusal, message: (field: Field) => string): Attack {
  return {
    group: TLS,
    name,
    expected: `${refusal.status} ${refusal.code ?? ''}`.trim(),
    at: 'tls',
    run: async (field) => {
      const socket = dialTls(field);
      socket.on('error', () => undefined);
      socket.write(message(field));
      const heard = await hear(socket);
      socket.destroy();
      field.keep(heard.text);
      return judge(refusal, heard);
    },
  };
}

const MISDIRECTED = { status: 421, code: 'misdirected_request' } as const;
const FOREIGN = { status: 403, code: 'origin_not_allowed' } as const;

/** What the listener with a certificate takes; it is the one that may stand beyond loopback. */
export const TLS_LISTENER: readonly Attack[] = [
  shaken('TLS 1.0', /PROTOCOL_VERSION/, { minVersion: 'TLSv1', maxVersion: 'TLSv1', ciphers: ANYTHING }),
  shaken('TLS 1.1', /PROTOCOL_VERSION/, { minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1', ciphers: ANYTHING }),
  shaken('TLS 1.2 is taken', /^TLSv1\.2$/, { maxVersion: 'TLSv1.2' }),
  shaken('TLS 1.3 is taken', /^TLSv1\.3$/, { minVersion: 'TLSv1.3' }),
  ...['NULL', 'aNULL', 'MD5', 'AES128-SHA'].map((weak) =>
    shaken(`ciphers of the kind ${weak}`, /HANDSHAKE_FAILURE/, {
      maxVersion: 'TLSv1.2',
      ciphers: `${weak}:@SECLEVEL=0`,
    }),
  ),
  shaken('somebody else with our name is not believed', /SELF_SIGNED|UNABLE_TO_VERIFY/, { ca: [] }),
  {
    group: TLS,
    name: 'plain HTTP',
    expected: 'no answer, closed',
    at: 'tls',
    run: async (field) => {
      const heard = await speak(field.tcp, sale(field), { untilClosed: true });
      const silent = heard.answers.length === 0 && !heard.text.includes('HTTP/');
      return { came: `${heard.text.length} bytes, ${heard.end}`, pass: silent && heard.end !== 'open' };
    },
  },
  inside('a Host that was allowed', { status: 200 }, (field) => request(field, { host: 'till.shop' })),
  inside('a Host that was allowed, in capitals, with a port', { status: 200 }, (field) =>
    request(field, { host: `TILL.SHOP:${field.tcp.port}` }),
  ),
  inside('a rebound name', MISDIRECTED, (field) => sale(field, { host: 'evil.example' })),
  inside('a name below ours', MISDIRECTED, (field) => sale(field, { host: 'evil.till.shop' })),
  inside('a foreign page', FOREIGN, (field) => sale(field, { headers: ['Origin: https://evil.example'] })),
  inside('our page without encryption', FOREIGN, (field) =>
    sale(field, { headers: [`Origin: http://${field.authority}`] }),
  ),
  inside('no key', { status: 401, code: 'authentication_failed' }, (field) => sale(field, { key: null })),
  inside('two Hosts', { status: 400 }, (field) => sale(field, { headers: ['Host: evil.example'] })),
  inside('garbage', { status: 400 }, () => 'GARBAGE\r\n\r\n'),
  {
    group: TLS,
    name: 'the secret is bargained for again and again',
    expected: 'cut',
    at: 'tls',
    run: async (field) => {
      const socket = dialTls(field, { maxVersion: 'TLSv1.2' });
      socket.on('error', () => undefined);
      socket.once('end', () => socket.destroy());
      socket.resume();
      await new Promise((resolve) => socket.once('secureConnect', resolve));
      for (let round = 0; round < 12 && !socket.destroyed; round += 1) {
        await new Promise((resolve) => {
          setTimeout(resolve, 2_000).unref();
          socket.once('close', resolve);
          socket.renegotiate({ rejectUnauthorized: false }, resolve);
        });
      }
      const { destroyed } = socket;
      socket.destroy();
      return { came: destroyed ? 'cut' : 'goes on', pass: destroyed };
    },
  },
  {
    group: TLS,
    name: 'a crowd that never ends its handshakes',
    expected: 'at most 256 kept, the till sells meanwhile',
    at: 'tls',
    kind: 'heavy',
    run: async (field) => {
      const people = await Crowd.gather(
        field,
        Math.floor(field.crowd / 4),
        Buffer.from('160301020001', 'hex'),
      );
      const kept = await people.kept(256);
      const outside = await field.till.sell();
      await people.leave();
      return { came: `${kept} kept, sold meanwhile: ${outside.words}`, pass: kept <= 256 && outside.ok };
    },
  },
];
