import { execFileSync, spawnSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { createServer, request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  fingerprintOf,
  issueServerCertificate,
  makeAuthority,
  type PemPair,
} from '../../../src/certificates/authority.ts';
import { aFolder } from '../../support/money-database.ts';

const DAY_MS = 86_400_000;
const NOW = Date.now();
const lack =
  spawnSync('openssl', ['version']).status === 0 ? '' : ' (needs openssl: apt-get install openssl)';

function openssl(...args: readonly string[]): string {
  return execFileSync('openssl', args, { encoding: 'utf8', stdio: 'pipe' });
}

/** What openssl says of a certificate of `authority`; it shares no code with us. */
function verdict(authority: PemPair, cert: string, ...more: readonly string[]): string {
  const folder = aFolder();
  writeFileSync(join(folder, 'ca.pem'), authority.cert);
  writeFileSync(join(folder, 'server.pem'), cert);
  const call = ['verify', '-x509_strict', '-CAfile', join(folder, 'ca.pem'), '-purpose', 'sslserver'];
  const { stdout, stderr } = spawnSync('openssl', [...call, ...more, join(folder, 'server.pem')], {
    encoding: 'utf8',
  });
  return `${stdout}${stderr}`.replaceAll(folder, '');
}

function textOf(cert: string): string {
  const file = join(aFolder(), 'cert.pem');
  writeFileSync(file, cert);
  return openssl('x509', '-noout', '-text', '-in', file).replace(/\s+/g, ' ');
}

describe.skipIf(lack !== '')(`certificates of a shop, as openssl reads them${lack}`, () => {
  it('the authority is one for ten years, with no authority below it, and speaks for one name and private addresses alone', async () => {
    const { cert } = await makeAuthority('shop', NOW);
    const text = textOf(cert);
    for (const words of [
      'Subject: O = tilld, CN = tilld shop.local',
      'ASN1 OID: prime256v1',
      'X509v3 Basic Constraints: critical CA:TRUE, pathlen:0',
      'X509v3 Key Usage: critical Certificate Sign, CRL Sign',
      'X509v3 Name Constraints: critical Permitted: DNS:shop.local IP:10.0.0.0/255.0.0.0 IP:172.16.0.0/255.240.0.0 IP:192.168.0.0/255.255.0.0 IP:169.254.0.0/255.255.0.0 IP:FC00:0:0:0:0:0:0:0/FE00:0:0:0:0:0:0:0',
    ])
      expect(text).toContain(words);
    const { validFromDate, validToDate } = new X509Certificate(cert);
    expect((validToDate.getTime() - validFromDate.getTime()) / DAY_MS).toBeCloseTo(3_654, 1);
  });

  it('a server certificate is good for its name and its private addresses, at most 397 days, and leaves out what its authority may not certify', async () => {
    const authority = await makeAuthority('shop', NOW);
    const addresses = ['192.168.1.20', 'fd00::7', '8.8.8.8', 'fe80::1%eth0', '127.0.0.1', 'nonsense'];
    const { cert } = await issueServerCertificate(authority, { name: 'shop', addresses }, NOW);
    expect(verdict(authority, cert, '-verify_hostname', 'shop.local')).toBe('/server.pem: OK\n');
    expect(verdict(authority, cert, '-verify_ip', '192.168.1.20')).toBe('/server.pem: OK\n');
    expect(verdict(authority, cert, '-verify_ip', 'fd00::7')).toBe('/server.pem: OK\n');
    expect(verdict(authority, cert, '-verify_hostname', 'other.local')).toContain('hostname mismatch');
    const text = textOf(cert);
    expect(text).toContain('DNS:shop.local, IP Address:192.168.1.20, IP Address:FD00:0:0:0:0:0:0:7 ');
    expect(text).toContain('TLS Web Server Authentication');
    expect(text).toContain('CA:FALSE');
    const { validToDate } = new X509Certificate(cert);
    expect((validToDate.getTime() - NOW) / DAY_MS).toBeCloseTo(397, 1);
  });

  it('another host that is signed with the key of the authority is refused: a stolen key speaks for no bank', async () => {
    const authority = await makeAuthority('shop', NOW);
    const { cert } = await issueServerCertificate(authority, { name: 'bank', addresses: [] }, NOW);
    expect(verdict(authority, cert)).toContain('permitted subtree violation');
  });

  it('a certificate of another authority is refused', async () => {
    const [ours, theirs] = [await makeAuthority('shop', NOW), await makeAuthority('shop', NOW)];
    const { cert } = await issueServerCertificate(theirs, { name: 'shop', addresses: [] }, NOW);
    expect(verdict(ours, cert)).not.toContain('OK');
    expect(fingerprintOf(ours.cert)).not.toBe(fingerprintOf(theirs.cert));
  });

  it('the fingerprint is the one that openssl shows', async () => {
    const { cert } = await makeAuthority('shop', NOW);
    const file = join(aFolder(), 'ca.pem');
    writeFileSync(file, cert);
    expect(openssl('x509', '-noout', '-fingerprint', '-sha256', '-in', file)).toContain(fingerprintOf(cert));
  });
});

describe('certificates of a shop', () => {
  it('a TLS client that trusts the authority alone speaks with the server, and one that does not is not spoken to', async () => {
    const authority = await makeAuthority('shop', NOW);
    const server = createServer(
      await issueServerCertificate(authority, { name: 'shop', addresses: [] }, NOW),
      (_request, response) => response.end('here'),
    );
    onTestFinished(() => void server.close());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const get = (servername: string, ca: string) =>
      new Promise<string>((resolve) => {
        const asked = request({ host: '127.0.0.1', port, servername, ca, agent: false }, (reply) =>
          resolve(String(reply.statusCode)),
        );
        asked.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
        asked.end();
      });
    expect(await get('shop.local', authority.cert)).toBe('200');
    expect(await get('bank.example', authority.cert)).toBe('ERR_TLS_CERT_ALTNAME_INVALID');
    expect(await get('shop.local', (await makeAuthority('shop', NOW)).cert)).toMatch(/^UNABLE_|_SIGN/);
  });

  it('ends with its authority at the latest', async () => {
    const authority = await makeAuthority('shop', NOW);
    const late = NOW + 3_600 * DAY_MS;
    const { cert } = await issueServerCertificate(authority, { name: 'shop', addresses: [] }, late);
    expect(new X509Certificate(cert).validTo).toBe(new X509Certificate(authority.cert).validTo);
  });

  it.each([
    ['in 1970', 0],
    ['after its authority', NOW + 4_000 * DAY_MS],
    ['before its authority', NOW - 40 * DAY_MS],
  ])('none is made by a clock that stands %s', async (_name, at) => {
    const authority = await makeAuthority('shop', NOW);
    await expect(
      issueServerCertificate(authority, { name: 'shop', addresses: [] }, at),
    ).rejects.toMatchObject({ code: 'CLOCK_WRONG' });
    if (at === 0) await expect(makeAuthority('shop', at)).rejects.toMatchObject({ code: 'CLOCK_WRONG' });
  });
});
