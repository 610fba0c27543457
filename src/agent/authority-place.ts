import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AppError, messageOf } from '../base/errors.ts';
import type { PemPair } from '../certificates/authority.ts';
import type { AuthorityPlace } from '../certificates/shop-certificate.ts';
import { writeFileDurably } from '../store/disk/durable-file.ts';

/** Key and certificate of the authority in one file of the credentials; it is in no backup. @throws CREDENTIAL_INVALID when it cannot be used */
export function authorityPlace(credentials: string, name: string): AuthorityPlace {
  const path = authorityFile(credentials, name);
  return {
    read: () => readAuthority(path),
    keep: ({ key, cert }) => {
      mkdirSync(credentials, { recursive: true, mode: 0o700 });
      writeFileDurably(path, `${key}${cert}`);
    },
  };
}

/** `credentials/shop-ca-shop.pem` */
export function authorityFile(credentials: string, name: string): string {
  return join(credentials, `shop-ca-${name}.pem`);
}

/** @returns null when there is none. @throws CREDENTIAL_INVALID */
export function readAuthority(path: string): PemPair | null {
  const text = textOf(path);
  if (text === null) return null;
  const [key] = /-----BEGIN PRIVATE KEY-----[\s\S]+?-----END PRIVATE KEY-----\n/.exec(text) ?? [];
  const [cert] = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----\n/.exec(text) ?? [];
  if (key !== undefined && cert !== undefined) return { key, cert };
  throw new AppError('CREDENTIAL_INVALID', `${path} does not hold a private key and a certificate`);
}

function textOf(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw new AppError('CREDENTIAL_INVALID', `${path} cannot be read: ${messageOf(error)}`, { cause: error });
  }
}
