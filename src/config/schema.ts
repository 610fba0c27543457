import { z } from 'zod';
import { LANGUAGES } from '../base/language.ts';
import { isLoopback } from '../base/loopback.ts';
import { DeviceSection } from './schema-device.ts';
import { FleetSection } from './schema-fleet.ts';
import { IntegrationsSection, MirrorSection } from './schema-integrations.ts';
import { addressRange, host, hostName, millis, port, webOrigin } from './schema-primitives.ts';
import { SandboxSection } from './schema-sandbox.ts';
import { ServiceSection } from './schema-service.ts';

/** A label of a host name. */
export const LAN_NAME = /^[a-z0-9]([a-z0-9-]{0,30}[a-z0-9])?$/;

const Lan = z
  .strictObject({
    name: z
      .string()
      .regex(LAN_NAME, 'must be 1 to 32 small letters, digits and hyphens')
      .describe(
        'Devices of the shop open `https://NAME.local:PORT`: the host name of this machine, which avahi announces.',
      ),
    host: host()
      .optional()
      .describe('Address of this machine to listen on. Default: every one of the network.'),
    port: port().default(8443).describe('TCP port; 0 takes any free one.'),
  })
  .optional()
  .describe(
    "Pages and interface for the shop's own devices, over TLS with the certificate of an authority that tilld makes for this shop. Default: none, nothing listens in the network.",
  );

const WebhookListener = z
  .strictObject({
    host: host()
      .default('127.0.0.1')
      .describe(
        'Address to listen on, where the proxy or tunnel reaches it; beyond loopback only with `tls`.',
      ),
    port: port().default(8490).describe('TCP port; 0 takes any free one.'),
  })
  .optional()
  .describe(
    'Takes webhooks of providers at `/hooks/PROVIDER`, and serves nothing else: it may be exposed whole. Default: none, nothing listens for webhooks.',
  );

const Listen = z
  .strictObject({
    host: host().default('127.0.0.1').describe('Address to listen on; beyond loopback only with `tls`.'),
    port: port().default(8480).describe('TCP port; 0 takes any free one.'),
    allowed_hosts: z
      .array(hostName())
      .max(32)
      .default([])
      .describe(
        'Names by which tills reach it, beside the loopback ones and `host`; requests for any other are refused.',
      ),
    allowed_origins: z
      .array(webOrigin())
      .max(32)
      .default([])
      .describe(
        'Origins of browser tills, like `https://till.example`: their pages may call `/v2` with a key; pages of any other origin are refused.',
      ),
    trusted_proxies: z
      .array(addressRange().refine((range) => !range.endsWith('/0'), 'must not be every address'))
      .max(32)
      .default([])
      .describe(
        'Addresses and ranges of reverse proxies that are trusted: the client is the last address in `X-Forwarded-For` that is none of them, and `X-Forwarded-Proto` says whether it came over TLS. Default: none.',
      ),
    lan: Lan,
    webhooks: WebhookListener,
  })
  .prefault({})
  .describe('Where the local interface is served.');

const Webhooks = z
  .strictObject({
    allow_private: z
      .array(addressRange())
      .max(32)
      .default(['127.0.0.0/8', '::1'])
      .describe(
        'Addresses and ranges that are not of the internet and may receive events all the same, like `192.168.1.20` or `10.0.0.0/8`. Default: this machine.',
      ),
  })
  .prefault({})
  .describe('Where events may be sent.');

const Tls = z
  .strictObject({
    certificate: z.string().min(1).describe('Path of the PEM certificate chain.'),
    key: z.string().min(1).describe('Path of the PEM private key.'),
  })
  .optional()
  .describe('Certificate of the local interface; needed for any address but loopback.');

const LogFile = z
  .strictObject({
    path: z
      .string()
      .min(1)
      .max(4096)
      .describe('The file; its folder must be there and be writable by tilld.'),
    max_bytes: z
      .int()
      .min(65_536)
      .max(1_073_741_824)
      .default(10_485_760)
      .describe('A file that would become larger is set aside as `PATH.1`, that one as `PATH.2`, and so on.'),
    keep: z.int().min(0).max(100).default(5).describe('How many of those stay.'),
  })
  .optional()
  .describe(
    'A file for the log, instead of standard error; while it takes no lines (a full disk, a folder that has gone) they go there all the same.',
  );

const Log = z
  .strictObject({
    level: z
      .enum(['trace', 'debug', 'info', 'warn', 'error'])
      .default('info')
      .describe('Least level that is written; `trace` holds the frames, card data cut.'),
    file: LogFile,
  })
  .prefault({})
  .describe('The log: on standard error, where systemd takes it, or in a file.');

const Tracing = z
  .strictObject({
    endpoint: z
      .url({ protocol: /^https?$/ })
      .max(2048)
      .refine(isPrivate, 'must be https, or http on this machine; without user and password')
      .optional()
      .describe(
        'Where OpenTelemetry traces are taken over HTTP as JSON, like `http://127.0.0.1:4318/v1/traces`. Default: nowhere.',
      ),
  })
  .prefault({})
  .describe('Traces of payments, from the request over the terminal to the report.');

const Limits = z
  .strictObject({
    requests_per_minute: z.int().min(1).max(60_000).default(600).describe('Requests per minute and key.'),
    burst: z.int().min(1).max(1000).default(50).describe('Requests that may come at once.'),
    body_bytes: z.int().min(1024).max(1_048_576).default(65_536).describe('Largest request body, in bytes.'),
  })
  .prefault({})
  .describe('What one key may ask of the local interface; the unix socket is not limited.');

const QueueLimits = z
  .strictObject({
    wait_ms: millis(1000, 300_000).default(60_000).describe('How long a payment may wait for its terminal.'),
    max_age_ms: millis(1000, 300_000)
      .default(300_000)
      .describe('Age past which no request reaches a terminal.'),
    max_waiting: z.int().min(1).max(100).default(20).describe('Payments that may wait for one terminal.'),
  })
  .prefault({})
  .describe('The queue in front of each terminal.');

const Recovery = z
  .strictObject({
    settle_ms: millis(0, 600_000)
      .optional()
      .describe(
        'Idle time before "not charged" may be said; default: what the driver says of its terminals.',
      ),
    read_interval_ms: millis(50, 60_000)
      .default(5000)
      .describe('Pause between two readings of the terminal.'),
    ask_person_after_ms: millis(0, 240_000).default(120_000).describe('When a person is asked to look.'),
    give_up_ms: millis(1000, 240_000)
      .default(240_000)
      .describe('When a terminal that answers sells again while the payment stays with a person.'),
  })
  .prefault({})
  .describe('How the outcome of an interrupted payment is found.');

const Retention = z
  .strictObject({
    archive_after_days: z
      .union([z.int().min(90).max(3650), z.literal('never')])
      .default(400)
      .describe(
        'Age in days at which the history of a payment that has ended (its journal, its events, what was reported) moves from `money.db` into `archive.db`, a twelfth of its size; the payment itself stays, and `explain` reads both. Below 90 the events of a quarter would be gone.',
      ),
  })
  .prefault({})
  .describe('How long the history of old payments stays in the database that sells.');

/** Plain text never leaves this machine, and an address has no password. */
function isPrivate(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, username, password } = new URL(text);
  if (username !== '' || password !== '') return false;
  return protocol === 'https:' || isLoopback(hostname.replace(/^\[|\]$/g, ''));
}

/** The whole configuration file; the one place of its keys, bounds and defaults. */
export const ConfigFile = z
  .strictObject({
    $schema: z.string().optional().describe('Address of this schema, for editors.'),
    version: z.literal(1).describe('Version of this file format.'),
    environment: z.enum(['live', 'sandbox']).describe('`live` moves real money; `sandbox` never does.'),
    state_dir: z
      .string()
      .min(1)
      .max(4096)
      .default('.tilld')
      .describe(
        'Folder of the databases, the socket and the credentials; relative to where tilld is started.',
      ),
    witness_dir: z
      .string()
      .min(1)
      .max(4096)
      .optional()
      .describe(
        "Folder outside `state_dir` that no copy and no backup of it contains: a note there reveals an old or copied state folder. Default: `/var/lib/tilld-witness` under systemd, else `tilld-witness` in the user's folder for state. Once used, a change of it counts as a move to another machine.",
      ),
    agent: z
      .string()
      .regex(/^[\x21-\x7e]{1,64}$/, 'must be 1 to 64 visible ASCII characters')
      .optional()
      .describe('Name of this agent at the service; default: a name kept in the state folder.'),
    language: z
      .enum(LANGUAGES)
      .optional()
      .describe('Language of the pages, until a person chooses another. Default: that of the browser.'),
    listen: Listen,
    webhooks: Webhooks,
    tls: Tls,
    log: Log,
    tracing: Tracing,
    limits: Limits,
    lane: QueueLimits,
    recovery: Recovery,
    retention: Retention,
    heartbeat_ms: millis(1000, 600_000)
      .default(15_000)
      .describe('How often an idle terminal is asked whether it is there.'),
    service: ServiceSection,
    integrations: IntegrationsSection,
    mirror: MirrorSection,
    driver_packages: z
      .array(
        z.string().regex(/^[a-z][a-z0-9._-]{0,63}$/, 'must be the name of a folder, like "acme-terminal"'),
      )
      .max(8)
      .default([])
      .describe(
        'Driver packages from outside that devices may name, by the folder in which root installed each under `driver-packages` beside the program. Each runs in a process of its own.',
      ),
    devices: z.array(DeviceSection).max(64).default([]).describe('The places where cards are taken.'),
    fleet: FleetSection,
    sandbox: SandboxSection,
  })
  .describe('Configuration of tilld.');

/** A checked configuration, with every default filled in. Keys as in the file; durations in ms, money in minor units. */
export type Config = z.output<typeof ConfigFile>;
