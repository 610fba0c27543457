import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { VirtualTerminals } from '../api/virtual-terminals.ts';
import type { Clock } from '../base/clock.ts';
import { messageOf } from '../base/errors.ts';
import type { Ids } from '../base/ids.ts';
import type { Log } from '../base/log.ts';
import type { Config } from '../config/schema.ts';
import type { ProviderCredentials } from '../integration/connector.ts';
import type { Lifecycle } from '../runtime/lifecycle.ts';
import type { Memory } from '../sandbox/controllable-terminal.ts';
import { startSandboxProvider } from '../sandbox/provider/start-sandbox-provider.ts';
import { startSandboxService } from '../sandbox/service/start-sandbox-service.ts';
import {
  type RunningVirtualTerminal,
  startVirtualTerminal,
} from '../sandbox/terminal/start-virtual-terminal.ts';
import { writeFileDurably } from '../store/disk/durable-file.ts';
import { type ConfiguredVirtualTerminal, configuredVirtualTerminals } from './virtual-families.ts';
import { VirtualTerminalService } from './virtual-terminal-service.ts';

type SandboxConfig = NonNullable<Config['sandbox']>;

export interface SandboxDeps {
  readonly config: Config;
  /** Folder for the sandbox's data. */
  readonly folder: string;
  /** The key that the daemon will send. */
  readonly serviceKey: string;
  /** Use any free port instead of the configured one. */
  readonly anyPort: boolean;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly lifecycle: Lifecycle;
}

/** The running sandbox. */
export interface Sandbox {
  readonly serviceUrl: string | null;
  /** The address of each virtual terminal, by its name. */
  readonly addresses: ReadonlyMap<string, string>;
  /** What the pages show of the virtual terminals; null: there are none. */
  readonly terminals: VirtualTerminals | null;
  /** How integrations reach the provider; null: there is none. */
  readonly provider: ProviderCredentials | null;
}

/** Starts the virtual terminals, then the stand-in of the service that shows their keypads. @throws CONFIG_INVALID */
export async function startSandbox(sandbox: SandboxConfig, deps: SandboxDeps): Promise<Sandbox> {
  mkdirSync(deps.folder, { recursive: true, mode: 0o700 });
  const terminals: RunningVirtualTerminal[] = [];
  for (const configured of configuredVirtualTerminals(deps.config)) {
    const terminal = await startTerminal(configured, deps);
    deps.lifecycle.started(`virtual terminal ${terminal.name}`, () => terminal.stop());
    terminals.push(terminal);
  }
  const provider = sandbox.provider ? await startProvider(sandbox.provider, deps) : null;
  const serviceUrl = sandbox.service ? await startService(sandbox.service, terminals, deps) : null;
  return {
    serviceUrl,
    provider,
    addresses: new Map(terminals.map((terminal) => [terminal.name, terminal.address])),
    terminals: terminals.length === 0 ? null : new VirtualTerminalService(terminals, deps.config),
  };
}

async function startTerminal(
  { settings, family }: ConfiguredVirtualTerminal,
  deps: SandboxDeps,
): Promise<RunningVirtualTerminal> {
  const { clock, log, folder } = deps;
  const dialect = await family.load(settings.options);
  const { options: _, terminal_id, autopilot_ms, tip_percent, missing_acknowledgement, ...same } = settings;
  const memory = fileMemory(join(folder, `terminal-${fileName(settings.name)}.json`), log);
  return startVirtualTerminal(
    {
      ...same,
      terminalId: terminal_id,
      autopilotMs: autopilot_ms,
      tipPercent: tip_percent,
      missingAcknowledgement: missing_acknowledgement,
    },
    dialect,
    { clock, log, memory, ptyPath: join(folder, `pty-${fileName(settings.name)}`) },
  );
}

/** Answers on this machine alone: its key is no secret. */
const PROVIDER_KEY = 'sandbox-provider-key';

async function startProvider(
  { listen }: NonNullable<SandboxConfig['provider']>,
  { anyPort, clock, log, folder, lifecycle }: SandboxDeps,
): Promise<ProviderCredentials> {
  const running = await startSandboxProvider(
    { listen: anyPort ? { ...listen, port: 0 } : listen, key: PROVIDER_KEY },
    {
      clock,
      log: log.child({ part: 'sandbox provider' }),
      memory: fileMemory(join(folder, 'provider.json'), log),
    },
  );
  lifecycle.started('sandbox provider', () => running.stop());
  return { apiKey: PROVIDER_KEY, baseUrl: running.url, appName: '', appEmail: '' };
}

/** The scopes of the agent's own key in the sandbox: all that it reads or writes. */
const SERVICE_SCOPES = [
  ...['payments', 'webhooks', 'settings', 'customers', 'products', 'subscriptions', 'invoices'].flatMap(
    (area) => [`${area}:read`, `${area}:write`],
  ),
  'finance:read',
];

async function startService(
  service: NonNullable<SandboxConfig['service']>,
  terminals: readonly RunningVirtualTerminal[],
  deps: SandboxDeps,
): Promise<string> {
  const { clock, ids, log, folder, config, serviceKey, anyPort } = deps;
  const running = await startSandboxService(
    {
      listen: anyPort ? { ...service.listen, port: 0 } : service.listen,
      keys: [{ key: serviceKey, scopes: SERVICE_SCOPES }],
      devices: config.devices.map(({ id, name }) => ({ id, name })),
      plan: service.plan,
      honoursOurId: true,
      keepsMetadata: true,
      refusesUnknownFields: true,
      hasClaim: true,
    },
    {
      clock,
      ids,
      log: log.child({ part: 'sandbox service' }),
      memory: fileMemory(join(folder, 'service.json'), log),
      terminals,
    },
  );
  deps.lifecycle.started('sandbox service', () => running.stop());
  return running.url;
}

/** A full disk stops no payment, and must not stop the sandbox. */
function fileMemory(path: string, log: Log): Memory {
  return {
    load: () => (existsSync(path) ? readFileSync(path, 'utf8') : null),
    save: (text) => {
      try {
        writeFileDurably(path, text);
      } catch (error) {
        log.warn({ path, error: messageOf(error) }, 'what the sandbox remembers could not be written');
      }
    },
  };
}

function fileName(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]+/g, '-');
}
