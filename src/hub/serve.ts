import { readFileSync } from 'node:fs';
import { AppError, messageOf } from '../base/errors.ts';
import { isLoopback } from '../base/loopback.ts';
import { mailOver } from './alerts/mail.ts';
import { networksOf } from './alerts/networks.ts';
import { Beat } from './beat.ts';
import { connect } from './database/connect.ts';
import { makeJournalMonths, requireMigrated } from './database/migrate.ts';
import { createHub } from './http/create-hub.ts';
import { HubMetrics } from './metrics/hub-metrics.ts';
import { serveMetrics } from './metrics/metrics-server.ts';

const DAY_MS = 86_400_000;
/** What one hub opens at most. */
export const CONNECTIONS = 16;
/** A request asks for some thousand rows at most. */
const ANSWER_MS = 30_000;

export interface ServeOptions {
  readonly database?: string;
  readonly listen: string;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  /** Where Prometheus reads the metrics: HOST:PORT of loopback. */
  readonly metrics?: string;
  /** IP addresses and CIDR ranges that are not of the internet and may receive alerts, with commas between them. */
  readonly webhookNetworks?: string;
}

/**
 * Answers agents until SIGTERM or SIGINT; prints one line when it is ready. It keeps nothing of its own, so it may be killed at any time.
 * @throws DATABASE_MISSING, DATABASE_NOT_MIGRATED, LISTEN_INVALID, LISTEN_NEEDS_TLS, NETWORKS_INVALID, MAIL_INVALID, and what reading the certificate throws
 */
export async function serve(options: ServeOptions): Promise<void> {
  const { host, port } = listenAddress('--listen', options.listen);
  const tls = tlsOf(options);
  if (tls === undefined && !isLoopback(host))
    throw new AppError(
      'LISTEN_NEEDS_TLS',
      `beyond this machine the hub answers with TLS only: name --tls-cert and --tls-key, or listen on 127.0.0.1 behind a proxy that ends TLS`,
    );
  const scraped = options.metrics === undefined ? undefined : metricsAddress(options.metrics);
  const sending = { mayReach: networksOf(options.webhookNetworks ?? ''), sendMail: mailOver(process.env) };
  const database = connect(databaseUrl(options), { connections: CONNECTIONS, answerMs: ANSWER_MS });
  await requireMigrated(database);
  const metrics = new HubMetrics({ database, now: Date.now });
  const beat = new Beat({ database, metrics, ...sending });
  const hub = createHub({
    ...{ database, now: Date.now, metrics, alerts: sending },
    ...(tls === undefined ? {} : { tls }),
  });
  const scraping = scraped && (await serveMetrics(metrics, scraped));
  const url = await hub.listen({ host, port });
  process.stdout.write(`tillhub is ready at ${url}\n`);
  beat.start();
  const daily = setInterval(() => {
    makeJournalMonths(database).catch((error: unknown) =>
      process.stderr.write(
        `tillhub: the next months of the journal could not be prepared: ${messageOf(error)}\n`,
      ),
    );
  }, DAY_MS);
  await new Promise((resolve) => {
    process.once('SIGTERM', resolve);
    process.once('SIGINT', resolve);
  });
  clearInterval(daily);
  scraping?.close();
  await Promise.all([hub.close(), beat.stop()]);
  await database.destroy();
}

/** @throws DATABASE_MISSING */
export function databaseUrl({ database }: { readonly database?: string }): string {
  const url = database ?? process.env['TILLHUB_DATABASE'];
  if (url !== undefined && /^postgres(ql)?:\/\//.test(url)) return url;
  throw new AppError(
    'DATABASE_MISSING',
    'name the PostgreSQL of the hub: --database postgres://USER@HOST/NAME, or TILLHUB_DATABASE',
  );
}

function listenAddress(option: string, text: string): { readonly host: string; readonly port: number } {
  const [, host, port] = /^(?:\[([0-9a-fA-F:]+)\]|[^:]+):(\d{1,5})$/.test(text)
    ? (/^\[?([^\]]+?)\]?:(\d{1,5})$/.exec(text) ?? [])
    : [];
  if (host === undefined || Number(port) > 65_535)
    throw new AppError(
      'LISTEN_INVALID',
      `${option} ${text}: it must be HOST:PORT, like 127.0.0.1:8490 or [::1]:8490`,
    );
  return { host, port: Number(port) };
}

/** The metrics ask for no token. @throws LISTEN_INVALID */
function metricsAddress(text: string): { readonly host: string; readonly port: number } {
  const address = listenAddress('--metrics', text);
  if (isLoopback(address.host)) return address;
  throw new AppError(
    'LISTEN_INVALID',
    `--metrics ${text}: the metrics ask for no token, so they are for this machine alone, like 127.0.0.1:9490`,
  );
}

function tlsOf({ tlsCert, tlsKey }: ServeOptions) {
  if (tlsCert === undefined && tlsKey === undefined) return undefined;
  if (tlsCert === undefined || tlsKey === undefined)
    throw new AppError('LISTEN_NEEDS_TLS', '--tls-cert and --tls-key belong together');
  return { cert: readFileSync(tlsCert, 'utf8'), key: readFileSync(tlsKey, 'utf8') };
}
