import { readFileSync } from 'node:fs';
import { AppError, messageOf } from '../base/errors.ts';
import { isLoopback } from '../base/loopback.ts';
import type { Config } from '../config/schema.ts';

/**
 * The certificate and key of the local interface, PEM.
 * @throws CONFIG_TLS when one of the files cannot be read.
 */
export function tlsOf(config: Config): { readonly cert: string; readonly key: string } | null {
  if (!config.tls) return null;
  return { cert: read(config.tls.certificate), key: read(config.tls.key) };
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
