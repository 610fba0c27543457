import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A self-signed certificate, in files as an operator has it. */
export interface Certificate {
  readonly certificatePath: string;
  readonly keyPath: string;
  /** PEM, for clients that are to trust it. */
  readonly pem: string;
}

/** Makes a certificate for till.shop and 127.0.0.1 with the openssl of this machine. @throws when there is none. */
export function makeCertificate(folder: string): Certificate {
  const certificatePath = join(folder, 'certificate.pem');
  const keyPath = join(folder, 'key.pem');
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const names = ['-subj', '/CN=till.shop', '-addext', 'subjectAltName=DNS:till.shop,IP:127.0.0.1'];
  const files = ['-keyout', keyPath, '-out', certificatePath];
  execFileSync('openssl', ['req', '-x509', ...curve, ...names, ...files, '-days', '2'], { stdio: 'pipe' });
  return { certificatePath, keyPath, pem: readFileSync(certificatePath, 'utf8') };
}

/** Why TLS cannot be tried here; null when it can. */
export function lackOfOpenssl(): string | null {
  try {
    execFileSync('openssl', ['version'], { stdio: 'pipe' });
    return null;
  } catch {
    return 'openssl is missing: apt-get install openssl';
  }
}
