import { X509Certificate } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { TLSSocket } from 'node:tls';
import { describe, expect, it } from 'vitest';
import { lackOfOpenssl, makeCertificate } from '../security/certificate.ts';
import { DEVICE_ID } from '../support/attempts.ts';
import { aWorld, Daemon, eventually } from '../support/daemon.ts';
import { aFolder } from '../support/money-database.ts';
import { tillctl } from '../support/till.ts';

const lack = lackOfOpenssl();

/** A till that keeps its connection, and looks at whose certificate it is shown. */
class TlsTill {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1, rejectUnauthorized: false });
  readonly #daemon: Daemon;
  readonly #key: string;

  constructor(daemon: Daemon, key: string) {
    this.#daemon = daemon;
    this.#key = key;
  }

  /** Gives the answer, the certificate's fingerprint, and the port that it was asked from. */
  ask(method: string, path: string, body?: object) {
    const headers = {
      authorization: `Bearer ${this.#key}`,
      'content-type': 'application/json',
      ...(body && { 'idempotency-key': crypto.randomUUID() }),
    };
    return new Promise<{ data: { id: string; status: string }; shown: string; port: number }>(
      (resolve, reject) => {
        const options = { method, agent: this.#agent, headers };
        const asked = request(`${this.#daemon.url}/v2${path}`, options, async (answer) => {
          const { socket } = answer;
          if (!(socket instanceof TLSSocket)) return reject(new Error('this is no TLS'));
          const shown = socket.getPeerCertificate().fingerprint256;
          const port = socket.localPort ?? 0;
          const { data } = JSON.parse(await text(answer));
          resolve({ data, shown, port });
        });
        asked.on('error', reject).end(body && JSON.stringify(body));
      },
    );
  }
}

describe.skipIf(lack !== null)(`SIGHUP while the customer pays${lack === null ? '' : ` (${lack})`}`, () => {
  it('shows a renewed certificate to new connections, goes on in a new log file, and disturbs neither the payment nor who is connected', async () => {
    const folder = aFolder();
    const logs = join(folder, 'logs');
    mkdirSync(logs);
    const { certificatePath: certificate, keyPath: key } = makeCertificate(folder);
    const shown = () => new X509Certificate(readFileSync(certificate)).fingerprint256;
    const first = shown();
    const file = join(logs, 'tilld.log');
    const settings = { tls: { certificate, key }, log: { level: 'info', file: { path: file } } };
    const world = await aWorld({ autopilot: 'off' }, settings);
    const daemon = await Daemon.start(world);
    const made = await tillctl(
      daemon,
      ...['keys', 'create', '--scope', 'payments:read', '--scope', 'payments:write', '--json'],
    );
    const till = new TlsTill(daemon, JSON.parse(made.stdout).data.key);
    const sale = { device_id: DEVICE_ID, amount_minor: 1234, currency: 'EUR' };
    const begun = await till.ask('POST', '/terminal-payments', sale);
    expect(begun.shown).toBe(first);
    await eventually(() => world.terminal.snapshot().screen.startsWith('Present card'));
    expect(daemon.log).toBe('');

    makeCertificate(folder);
    const second = shown();
    expect(second).not.toBe(first);
    renameSync(file, `${file}.moved`);
    daemon.signal('SIGHUP');
    await eventually(() => read(file).includes('"certificate":true'));
    const path = `/terminal-payments/${begun.data.id}`;
    const later = await till.ask('GET', path);
    expect([later.port, later.data.status]).toEqual([begun.port, 'in_progress']);
    const other = new TlsTill(daemon, JSON.parse(made.stdout).data.key);
    expect((await other.ask('GET', path)).shown).toBe(second);

    writeFileSync(certificate, 'no certificate');
    daemon.signal('SIGHUP');
    await eventually(() => read(file).includes('configuration cannot be used, nothing was changed'));
    const another = new TlsTill(daemon, JSON.parse(made.stdout).data.key);
    expect((await another.ask('GET', path)).shown).toBe(second);

    world.terminal.press('approve');
    await eventually(async () => (await till.ask('GET', path)).data.status === 'succeeded');
    expect(world.terminal.snapshot().ledger).toMatchObject([{ amountMinor: 1234, result: 'approved' }]);
    expect(read(`${file}.moved`)).toMatch(/"listening"/);
    expect(await daemon.stop()).toBe(0);
  });

  it('a log file that cannot be written keeps the daemon from starting, and the words say what mends it', async () => {
    const file = join(aFolder(), 'nowhere', 'tilld.log');
    const world = await aWorld({}, { log: { file: { path: file } } });
    await expect(Daemon.start(world)).rejects.toThrow(
      /ended with 2 before it was ready[\s\S]*log\.file: cannot write \S+nowhere\/tilld\.log: ENOENT[\s\S]*fix: make its folder/,
    );
  });
});

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
