import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { AppError, messageOf } from '../base/errors.ts';
import { isLoopback } from '../base/loopback.ts';
import type { Config } from '../config/schema.ts';

/**
 * The certificate and key of the local interface, PEM.
 * @throws CONFIG_TLS when one of the files cannot be read, or the two are no pair.
 */
export function tlsOf(config: Config): { readonly cert: string; readonly key: string } | null {
  if (!config.tls) return null;
  const { certificate, key } = config.tls;
  const pair = { cert: read(certificate), key: read(key) };
  try {
    createSecureContext(pair);
    return pair;
  } catch (cause) {
    const message = `tls: ${certificate} and ${key} are no certificate with its key: ${messageOf(cause)}`;
    throw new AppError('CONFIG_TLS', message, { cause });
  }
}

/**
 * Rejects an address beyond this machine without a certificate, before anything is opened.
 * @throws LISTEN_NEEDS_TLS
 */
export function requireTls(host: string, config: Config): void {
  if (config.tls || isLoopback(host)) return;
  throw new AppError('LISTEN_NEEDS_TLS', `${host} is beyond this machine, and there is no certificate`);
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw new AppError('CONFIG_TLS', `tls: cannot read ${path}: ${messageOf(cause)}`, { cause });
  }
}
