import { X509Certificate } from 'node:crypto';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { virtualZvt } from '../../drivers/terminals/zvt/virtual.ts';
import { silentLog } from '../../src/base/log.ts';
import { systemClock } from '../../src/runtime/system-clock.ts';
import {
  type RunningVirtualTerminal,
  startVirtualTerminal,
} from '../../src/sandbox/terminal/start-virtual-terminal.ts';
import { askOver } from '../support/socket.ts';
import { type Certificate, makeCertificate } from './certificate.ts';
import { DEVICE_ID, WEBHOOK_SECRET } from './device.ts';
import { HostilePackages } from './hostile-packages.ts';
import { type Keys, makeKeys } from './keys.ts';
import { DaemonProcess } from './process.ts';
import { Till } from './till.ts';
import type { Where } from './wire.ts';

/** A credential that no attacker may read. */
const SERVICE_KEY = 'rk_sandbox_service_key_of_the_field';
/** Answers that are kept for one attack, to look for secrets in them. */
const MAX_KEPT = 8 * 1024 * 1024;

export interface FieldOptions {
  /** Connections of the largest flood. */
  readonly crowd?: number;
  /** How long a torrent of requests lasts. */
  readonly torrentMs?: number;
  /** Serve HTTPS, with a certificate made for this field. */
  readonly tls?: boolean;
}

/** A real daemon under attack: its process, its virtual terminal, its keys, a till that goes on selling. */
export class Field {
  readonly daemon: DaemonProcess;
  readonly terminal: RunningVirtualTerminal;
  readonly keys: Keys;
  readonly till: Till;
  readonly certificate: Certificate | null;
  readonly config: string;
  readonly crowd: number;
  readonly torrentMs: number;
  readonly hostile: HostilePackages;
  readonly #folder: string;
  #kept: string[] = [];
  #keptSize = 0;
  #webhookPort: number | null = null;
  #lan: { readonly port: number; readonly authority: string } | null = null;

  private constructor(
    folder: string,
    daemon: DaemonProcess,
    terminal: RunningVirtualTerminal,
    keys: Keys,
    certificate: Certificate | null,
    config: string,
    hostile: HostilePackages,
    { crowd = 400, torrentMs = 0 }: FieldOptions,
  ) {
    this.config = config;
    this.hostile = hostile;
    this.crowd = crowd;
    this.torrentMs = torrentMs;
    this.#folder = folder;
    this.daemon = daemon;
    this.terminal = terminal;
    this.keys = keys;
    this.certificate = certificate;
    this.till = new Till(this);
  }

  /** Starts the daemon twice: keys that are over are made by ageing their rows in between. */
  static async open(options: FieldOptions = {}): Promise<Field> {
    const folder = mkdtempSync(join(tmpdir(), 'tilld-sec-'));
    const terminal = await startVirtualTerminal(TERMINAL, virtualZvt, {
      clock: systemClock,
      log: silentLog,
      memory: { load: () => null, save: () => undefined },
    });
    try {
      const certificate = options.tls ? makeCertificate(folder) : null;
      const hostile = await HostilePackages.install(
        folder,
        join(folder, 'state', 'credentials', 'service-key'),
      );
      const config = writeConfig(folder, terminal.address, certificate, hostile);
      const start = () => DaemonProcess.start(config, join(folder, 'state'), hostile.folder);
      const first = await start();
      const keys = await makeKeys(first);
      const daemon = await start();
      return new Field(folder, daemon, terminal, keys, certificate, config, hostile, options);
    } catch (error) {
      await terminal.stop();
      rmSync(folder, { recursive: true, force: true });
      throw error;
    }
  }

  get tcp(): { readonly host: string; readonly port: number } {
    return { host: '127.0.0.1', port: this.daemon.port };
  }

  /** A credential in the state folder. */
  get serviceKey(): string {
    return SERVICE_KEY;
  }

  get socket(): Where {
    return { path: this.daemon.socketPath };
  }

  /** The listener of the shop's network: its port, and the certificate that its devices trust, as the page of trust gives it. */
  async lan(): Promise<{ readonly port: number; readonly authority: string }> {
    this.#lan ??= await this.#findLan();
    return this.#lan;
  }

  async #findLan() {
    const { data } = (await askOver(this.daemon.socketPath, 'GET', '/v2/status')) as {
      readonly data: { readonly urls: { readonly lan: string } };
    };
    const port = Number(new URL(data.urls.lan).port);
    const reply = await fetch(`http://127.0.0.1:${port}/trust/ca.crt`);
    const authority = new X509Certificate(Buffer.from(await reply.arrayBuffer())).toString();
    return { port, authority };
  }

  /** The listener of webhooks of providers; the secret of `provider_a` is stored. */
  async webhookPort(): Promise<number> {
    this.#webhookPort ??= await this.#findWebhookPort();
    return this.#webhookPort;
  }

  async #findWebhookPort(): Promise<number> {
    const path = '/v2/integrations/provider_a/webhook-secret';
    const body = { secret: WEBHOOK_SECRET };
    const { data } = (await askOver(this.daemon.socketPath, 'PUT', path, body)) as {
      readonly data: { readonly webhook: { readonly url: string } };
    };
    return Number(new URL(data.webhook.url).port);
  }

  /** The Host of an honest client. */
  get authority(): string {
    return `127.0.0.1:${this.daemon.port}`;
  }

  /** Keeps what the daemon said, for the search for secrets. */
  keep(text: string): void {
    this.#keptSize += text.length;
    if (this.#keptSize < MAX_KEPT) this.#kept.push(text);
  }

  /** What was kept since the last call. */
  takeKept(): string {
    const text = this.#kept.join('\n');
    this.#kept = [];
    this.#keptSize = 0;
    return text;
  }

  /** Resident memory of the daemon, in MiB. */
  rssMiB(): number {
    const status = readFileSync(`/proc/${this.daemon.pid}/status`, 'utf8');
    return Math.round(Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024);
  }

  /** Sockets that the daemon has open, by the word of the system. */
  openSockets(): number {
    const folder = `/proc/${this.daemon.pid}/fd`;
    return readdirSync(folder).filter((name) => isSocket(join(folder, name))).length;
  }

  async close(): Promise<void> {
    await this.daemon.stop();
    await this.hostile.close();
    await this.terminal.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** Signs as Stripe does. */
const RECIPE = {
  recipe: 1,
  id: 'field',
  title: 'Field',
  documentation: 'https://field.example/docs',
  baseUrl: 'https://field.invalid',
  auth: { type: 'bearer' },
  resources: {
    customers: { path: '/customers', page: { style: 'whole' }, id: 'id', fields: { name: 'name' } },
  },
  webhook: {
    signature: {
      type: 'hmac',
      header: 'X-Signature',
      encoding: 'hex',
      form: { style: 'pairs', signature: 'v1', timestamp: 't' },
      signed: '{timestamp}.{body}',
    },
  },
};

const TERMINAL = {
  name: 'counter-1',
  protocol: 'zvt',
  over: 'tcp',
  port: 0,
  currency: 'EUR',
  serial: '17F00001',
  terminalId: '52500038',
  autopilot: 'approve',
  autopilotMs: 5,
  missingAcknowledgement: 'keep',
  faults: [],
} as const;

/** A descriptor may be gone between the list and the look. */
function isSocket(path: string): boolean {
  try {
    return readlinkSync(path).startsWith('socket:');
  } catch {
    return false;
  }
}

function writeConfig(
  folder: string,
  address: string,
  certificate: Certificate | null,
  hostile: HostilePackages,
): string {
  const credentials = join(folder, 'state', 'credentials');
  mkdirSync(credentials, { recursive: true, mode: 0o700 });
  writeFileSync(join(credentials, 'service-key'), JSON.stringify({ key: SERVICE_KEY }), { mode: 0o600 });
  const { driver_packages, devices } = hostile.config();
  const { hostname, port } = new URL(address.replace('tcp:', 'http:'));
  const file = join(folder, 'tilld.jsonc');
  const config = {
    version: 1,
    environment: 'sandbox',
    log: { level: 'debug' },
    limits: { requests_per_minute: 6000, burst: 200 },
    ...(certificate
      ? {
          listen: { allowed_hosts: ['till.shop'] },
          tls: { certificate: certificate.certificatePath, key: certificate.keyPath },
        }
      : { listen: { lan: { name: 'shop', host: '127.0.0.1', port: 0 }, webhooks: { port: 0 } } }),
    integrations: { provider_a: { connector: 'rest', sink: 'mirror', settings: { recipe: RECIPE } } },
    driver_packages,
    devices: [
      ...devices,
      {
        id: DEVICE_ID,
        name: 'Counter 1',
        driver: 'zvt',
        currency: 'EUR',
        link: { type: 'tcp', host: hostname, port: Number(port) },
      },
    ],
  };
  writeFileSync(file, JSON.stringify(config));
  return file;
}
