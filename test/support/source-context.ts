import { type Log, silentLog } from '../../src/base/log.ts';
import type { ProviderManifest } from '../../src/driver-kit/provider.ts';
import type {
  Connector,
  ConnectorContext,
  ProviderCredentials,
  SourcePage,
  SourceRecord,
  SyncWindow,
} from '../../src/integration/connector.ts';
import { createSourceHttp, type SourceHttpOptions } from '../../src/net/source-http.ts';
import { systemClock } from '../../src/runtime/system-clock.ts';

/** Everything, up to now. */
export const EVERYTHING: SyncWindow = { from: null, to: 4_102_444_800_000 };

export const CREDENTIALS: ProviderCredentials = {
  apiKey: 'a-key-that-is-secret',
  baseUrl: '',
  appName: 'Corner shop',
  appEmail: 'till@shop.example',
};

export interface OpenConnector {
  readonly connector: Connector;
  close(): Promise<void>;
}

/** A connector over real HTTP, as the daemon opens it; nothing is tried twice, so that a fault is seen at once. */
export async function openOverHttp(
  manifest: ProviderManifest,
  settings: unknown,
  credentials: Partial<ProviderCredentials>,
  options: Partial<SourceHttpOptions> = {},
  log: Log = silentLog,
): Promise<OpenConnector> {
  const all = { ...CREDENTIALS, ...credentials };
  const configured = await manifest.configure(settings);
  const access = configured.access(all);
  if (!access) throw new Error(`${manifest.id} has no address`);
  const http = createSourceHttp({ log, access, requestTimeoutMs: 5_000, retry: { retries: 0 }, ...options });
  const context: ConnectorContext = {
    credentials: all,
    http: (request, signal) => http.request(request, signal),
    files: () => Promise.reject(new Error('no folder')),
    readFile: () => Promise.reject(new Error('no folder')),
    clock: systemClock,
    log,
  };
  return { connector: configured.connect(context), close: () => http.close() };
}

/** More pages than this are a list without end. */
const MOST_PAGES = 10_000;

/** Walks a list to its end, as the engine does when nothing fails. */
export async function walk(
  connector: Connector,
  resource: string,
  window: SyncWindow = EVERYTHING,
): Promise<{ readonly pages: readonly SourcePage[]; readonly records: readonly SourceRecord[] }> {
  const pages: SourcePage[] = [];
  let token: string | null = null;
  do {
    if (pages.length === MOST_PAGES) throw new Error(`more than ${MOST_PAGES} pages of ${resource}`);
    const page: SourcePage = await connector.list(resource, window, token, new AbortController().signal);
    pages.push(page);
    token = page.next;
  } while (token !== null);
  return { pages, records: pages.flatMap(({ records }) => records) };
}

/** The ids, each once, in the order in which they first came. */
export function idsOf(records: readonly SourceRecord[]): readonly string[] {
  return [...new Set(records.map(({ id }) => id))];
}
