import { randomBytes, X509Certificate } from 'node:crypto';
import { AppError } from '../base/errors.ts';
import { certifiable, nameConstraints } from './name-constraints.ts';

/** A certificate and its private key (PKCS #8), each PEM. */
export interface PemPair {
  readonly cert: string;
  readonly key: string;
}

const DAY_MS = 86_400_000;
const AUTHORITY_DAYS = 3_653;
/** Apple refuses more than 825 days of a private authority, and browsers more than 398 of a public one. */
const SERVER_DAYS = 397;
/** A device whose clock is behind by less takes a certificate that was made a moment ago. */
const BACKDATED_MS = DAY_MS;
/** No clock of a machine that runs this release is right before it; one without a battery says 1970. */
const EARLIEST = Date.UTC(2025, 0, 1);
const SERVER_AUTH = '1.3.6.1.5.5.7.3.1';
const ECDSA = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;

/** Loaded when it is first needed: a tenth of a second that no start without it waits for. */
const library = async () => {
  await import('reflect-metadata');
  return import('@peculiar/x509');
};

/**
 * Makes the certificate authority of a shop: ECDSA P-256, ten years, no authority below it, and good for `NAME.local` and private addresses
 * alone, so that its key, once stolen, speaks for no other host.
 * @param name without `.local`. @throws CLOCK_WRONG
 */
export async function makeAuthority(name: string, now: number): Promise<PemPair> {
  requireClock(now);
  const x509 = await library();
  const keys = await newKeys();
  const host = hostOf(name);
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: serial(),
    name: [{ O: ['tilld'] }, { CN: [`tilld ${host}`] }],
    notBefore: new Date(now - BACKDATED_MS),
    notAfter: new Date(now + AUTHORITY_DAYS * DAY_MS),
    signingAlgorithm: ECDSA,
    keys,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
      new x509.ExtendedKeyUsageExtension([SERVER_AUTH]),
      new x509.Extension('2.5.29.30', true, nameConstraints(host)),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return { cert: `${certificate.toString('pem')}\n`, key: await pemOf(keys.privateKey) };
}

export interface ServerNames {
  /** Without `.local`. */
  readonly name: string;
  /** IP addresses; those that the authority may not certify are left out. */
  readonly addresses: readonly string[];
}

/**
 * Issues a certificate of the shop's server: 397 days at most, and never longer than its authority.
 * @throws CLOCK_WRONG when the authority is not valid now
 */
export async function issueServerCertificate(
  authority: PemPair,
  { name, addresses }: ServerNames,
  now: number,
): Promise<PemPair> {
  requireClock(now);
  const x509 = await library();
  const issuer = new x509.X509Certificate(authority.cert);
  if (now < issuer.notBefore.getTime() || now >= issuer.notAfter.getTime())
    throw new AppError(
      'CLOCK_WRONG',
      `the authority of the shop is good from ${issuer.notBefore.toISOString()} to ${issuer.notAfter.toISOString()}, and the clock of this machine says ${new Date(now).toISOString()}`,
    );
  const keys = await newKeys();
  const host = hostOf(name);
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: serial(),
    subject: [{ CN: [host] }],
    issuer: issuer.subjectName,
    notBefore: new Date(Math.max(now - BACKDATED_MS, issuer.notBefore.getTime())),
    notAfter: new Date(Math.min(now + SERVER_DAYS * DAY_MS, issuer.notAfter.getTime())),
    signingAlgorithm: ECDSA,
    signingKey: await privateKeyOf(authority.key),
    publicKey: keys.publicKey,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([SERVER_AUTH]),
      new x509.SubjectAlternativeNameExtension([
        { type: 'dns', value: host },
        ...addresses.filter(certifiable).map((value) => ({ type: 'ip' as const, value })),
      ]),
      await x509.AuthorityKeyIdentifierExtension.create(issuer.publicKey),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return { cert: `${certificate.toString('pem')}\n`, key: await pemOf(keys.privateKey) };
}

/** `NAME.local`, by which devices find the machine (RFC 6762). */
export function hostOf(name: string): string {
  return `${name}.local`;
}

/** SHA-256 of the certificate, as devices show it: 32 pairs of hex digits with colons. @param cert PEM */
export function fingerprintOf(cert: string): string {
  return new X509Certificate(cert).fingerprint256;
}

function newKeys() {
  return crypto.subtle.generateKey(ECDSA, true, ['sign', 'verify']);
}

/** 16 random bytes as hex, positive and of full length. */
function serial(): string {
  const bytes = randomBytes(16);
  bytes[0] = ((bytes[0] ?? 0) & 0x3f) | 0x40;
  return bytes.toString('hex');
}

async function pemOf(key: CryptoKey): Promise<string> {
  const bytes = Buffer.from(await crypto.subtle.exportKey('pkcs8', key));
  const lines = bytes.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN PRIVATE KEY-----\n${lines.join('\n')}\n-----END PRIVATE KEY-----\n`;
}

function privateKeyOf(pem: string): Promise<CryptoKey> {
  const bytes = Buffer.from(pem.replace(/-----[A-Z ]+-----/g, ''), 'base64');
  return crypto.subtle.importKey('pkcs8', bytes, ECDSA, false, ['sign']);
}

function requireClock(now: number): void {
  if (now >= EARLIEST) return;
  throw new AppError(
    'CLOCK_WRONG',
    `the clock of this machine says ${new Date(now).toISOString()}: no certificate is made by it`,
  );
}
