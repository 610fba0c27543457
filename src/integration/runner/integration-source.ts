import type { Clock } from '../../base/clock.ts';
import { hasCode } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import type {
  Connector,
  ConnectorContext,
  InvoicePayment,
  ProviderCredentials,
  ResourceManifest,
  SourceAccess,
} from '../connector.ts';
import { sourceError } from '../failure/source-error.ts';
import type { ResourceTest } from '../sync-runner-port.ts';
import { testedResource } from './resource-test.ts';

/** A provider with its settings, from a driver. */
export interface ConfiguredSource {
  readonly resources: readonly ResourceManifest[];
  /** @throws SOURCE_REFUSED when the credential lacks a part that this provider needs; null: it makes no requests */
  access(credentials: ProviderCredentials): SourceAccess | null;
  connect(context: ConnectorContext): Connector;
}

/** The HTTP client of one credential. */
export interface SourceLine {
  readonly request: ConnectorContext['http'];
  /** Aborts running requests; idempotent. */
  close(): Promise<void>;
}

/** What a connector gets beside its credential. */
export type SourceWorld = Omit<ConnectorContext, 'credentials' | 'http' | 'clock' | 'log'>;

export interface IntegrationSourceDeps {
  readonly configured: ConfiguredSource;
  /** Null: there is none yet. @throws SEAL_BROKEN, SEAL_KEY_UNUSABLE */
  readonly credentials: () => ProviderCredentials | null;
  /** Null: it needs a credential. */
  readonly noCredentials: ProviderCredentials | null;
  /** Called when another credential is stored; absent: nothing else depends on it. */
  readonly credentialStored?: () => void;
  /** Opens nothing before the first request. @throws SOURCE_REFUSED */
  readonly openLine: (access: SourceAccess) => SourceLine;
  readonly world: SourceWorld;
  readonly clock: Clock;
  readonly log: Log;
}

interface Opened {
  readonly connector: Connector;
  readonly line: SourceLine | null;
  calls: number;
}

/**
 * The source of an integration, opened at the first request.
 * The next request uses a rotated credential: a running request ends with the old one, and if the provider then refuses the old one, the request is
 * sent again with the new one. So a rotation never looks like a wrong credential.
 */
export class IntegrationSource {
  readonly #deps: IntegrationSourceDeps;
  #opened: Opened | null = null;
  #requests = 0;

  constructor(deps: IntegrationSourceDeps) {
    this.#deps = deps;
  }

  get resources(): readonly ResourceManifest[] {
    return this.#deps.configured.resources;
  }

  /** Requests sent since the start. */
  get requests(): number {
    return this.#requests;
  }

  /** For one run. @throws SOURCE_UNAUTHORISED where there is no credential, SOURCE_REFUSED where it lacks a part */
  connector(): Connector {
    const { connector } = this.#open();
    const { resources, get, recordPayment } = connector;
    return {
      resources,
      list: (...asked) => this.#asking((one) => one.list(...asked)),
      ...(get ? { get: (...asked) => this.#asking(async (one) => (await one.get?.(...asked)) ?? null) } : {}),
      ...(recordPayment ? { recordPayment: (...asked) => this.#recording(...asked) } : {}),
      test: (signal) => this.#asking((one) => one.test(signal)),
    };
  }

  /** Tests other credentials; none of them is stored. */
  async test(
    credentials: ProviderCredentials,
    signal: AbortSignal,
  ): Promise<{ readonly valid: boolean; readonly error: string }> {
    const { connector, line } = this.#connected(credentials);
    try {
      return await connector.test(signal);
    } finally {
      await line?.close();
    }
  }

  /** Reads the first page of every resource, and stores nothing. Null: with the stored credential. @throws the signal's reason */
  async testResources(
    credentials: ProviderCredentials | null,
    now: number,
    signal: AbortSignal,
  ): Promise<readonly ResourceTest[]> {
    const other = credentials === null ? null : this.#connected(credentials);
    const tests: ResourceTest[] = [];
    try {
      const connector = other?.connector ?? this.connector();
      for (const { name } of this.resources)
        tests.push(await testedResource(connector, name, { from: null, to: now }, signal));
      return tests;
    } finally {
      await other?.line?.close();
    }
  }

  /** The next request uses the stored credential. */
  credentialsChanged(): void {
    const old = this.#opened;
    this.#opened = null;
    this.#deps.credentialStored?.();
    if (old) this.#letGo(old);
  }

  async close(): Promise<void> {
    await this.#opened?.line?.close();
    this.#opened = null;
  }

  #recording(payment: InvoicePayment, signal: AbortSignal): Promise<'created' | 'present'> {
    return this.#asking(async (one) => {
      if (!one.recordPayment) throw sourceError('SOURCE_REFUSED', 'this provider takes no payments');
      return one.recordPayment(payment, signal);
    });
  }

  async #asking<T>(ask: (connector: Connector) => Promise<T>): Promise<T> {
    const opened = this.#open();
    try {
      return await this.#counted(opened, ask);
    } catch (error) {
      if (opened === this.#opened || !isOfCredential(error)) throw error;
      return this.#counted(this.#open(), ask);
    }
  }

  async #counted<T>(opened: Opened, ask: (connector: Connector) => Promise<T>): Promise<T> {
    opened.calls += 1;
    try {
      return await ask(opened.connector);
    } finally {
      opened.calls -= 1;
      if (opened !== this.#opened) this.#letGo(opened);
    }
  }

  #letGo({ calls, line }: Opened): void {
    if (calls === 0) void line?.close();
  }

  #open(): Opened {
    if (this.#opened) return this.#opened;
    const { credentials, noCredentials } = this.#deps;
    const found = credentials() ?? noCredentials;
    if (found === null)
      throw sourceError('SOURCE_UNAUTHORISED', 'there is no credential for this provider yet');
    this.#opened = { ...this.#connected(found), calls: 0 };
    return this.#opened;
  }

  #connected(credentials: ProviderCredentials): Pick<Opened, 'connector' | 'line'> {
    const { configured, openLine, world, clock, log } = this.#deps;
    const access = configured.access(credentials);
    const line = access === null ? null : openLine(access);
    const http: ConnectorContext['http'] = (request, signal) => {
      if (line === null) throw sourceError('SOURCE_REFUSED', 'this provider makes no requests');
      this.#requests += 1;
      return line.request(request, signal);
    };
    const connector = configured.connect({ ...world, credentials, http, clock, log });
    return { connector, line };
  }
}

function isOfCredential(error: unknown): boolean {
  return hasCode(error, 'SOURCE_UNAUTHORISED') || hasCode(error, 'SOURCE_FORBIDDEN');
}
