import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, normalize } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { addToRepository, sourcesOf } from '../../systemd/package/repository.ts';
import { CleanRoot, lacking } from '../support/clean-root.ts';
import { packages } from './releases.ts';

const lack = lacking(['debootstrap', 'dpkg-deb', 'apt-ftparchive', 'gpg']);
const ADDRESS = 'releases@shop.example';

/** A keyring of its own with one signing key. */
function aKey(): string {
  const home = mkdtempSync(join(tmpdir(), 'tilld-gpg-'));
  const before = process.env['GNUPGHOME'];
  process.env['GNUPGHOME'] = home;
  onTestFinished(() => {
    spawnSync('gpgconf', ['--kill', 'all']);
    if (before === undefined) delete process.env['GNUPGHOME'];
    else process.env['GNUPGHOME'] = before;
    rmSync(home, { recursive: true, force: true });
  });
  const words = [
    '--batch',
    '--passphrase',
    '',
    '--quick-generate-key',
    `Shop <${ADDRESS}>`,
    'ed25519',
    'sign',
  ];
  execFileSync('gpg', words, { stdio: 'ignore' });
  return ADDRESS;
}

/** Any web server that gives out a folder. */
async function served(folder: string): Promise<string> {
  const server = createServer((request, response) => {
    try {
      const path = normalize(decodeURIComponent(new URL(request.url ?? '/', 'http://x').pathname));
      response.end(readFileSync(join(folder, path)));
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe.skipIf(lack !== '')(`a signed apt repository${lack && ` (${lack})`}`, () => {
  it('installs and upgrades by ring, and nothing that was changed on the way', async () => {
    const key = aKey();
    const into = mkdtempSync(join(tmpdir(), 'tilld-repository-'));
    onTestFinished(() => rmSync(into, { recursive: true, force: true }));
    const [first, second] = [await packages('0.1.0'), await packages('0.2.0')];
    addToRepository({ into, suite: 'stable', key, packages: first });
    addToRepository({ into, suite: 'ring-0', key, packages: [...first, ...second] });
    const url = await served(into);

    const root = CleanRoot.make();
    onTestFinished(() => root.remove());
    copyFileSync(
      join(into, 'tilld-archive-keyring.gpg'),
      root.at('usr/share/keyrings/tilld-archive-keyring.gpg'),
    );
    const follow = (suite: string) =>
      writeFileSync(root.at('etc/apt/sources.list.d/tilld.sources'), sourcesOf(url, suite));
    const version = async () => (await root.must("dpkg -s tilld | sed -n 's/^Version: //p'")).trim();

    follow('stable');
    await root.must('apt-get update -qq && apt-get install -y --no-install-recommends tilld');
    expect(await version()).toBe('0.1.0');
    const sbom = JSON.parse(readFileSync(root.at('usr/share/doc/tilld/sbom.cdx.json'), 'utf8'));
    expect(sbom).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.5' });
    const node = sbom.components.find(({ name }: { name: string }) => name === 'node');
    const sum = (await root.must('sha256sum /usr/lib/tilld/node')).split(' ')[0];
    expect(node.hashes).toEqual([{ alg: 'SHA-256', content: sum }]);
    const zod = sbom.components.find(({ name }: { name: string }) => name === 'zod');
    expect(zod).toMatchObject({
      purl: expect.stringMatching(/^pkg:npm\/zod@4/),
      hashes: [{ alg: 'SHA-512' }],
    });

    follow('ring-0');
    await root.must('apt-get update -qq && apt-get upgrade -y');
    expect(await version()).toBe('0.2.0');
    await root.must('apt-get install -y --allow-downgrades tilld=0.1.0');
    expect(await version()).toBe('0.1.0');

    appendFileSync(join(into, 'pool/ring-0/tilld_0.2.0_amd64.deb'), 'x');
    const changed = await root.sh('apt-get clean && apt-get install -y tilld');
    expect([changed.status, await version()]).toEqual([100, '0.1.0']);
    appendFileSync(join(into, 'dists/ring-0/InRelease'), '\n');
    const list = join(into, 'dists/ring-0/InRelease');
    writeFileSync(list, readFileSync(list, 'utf8').replace('Origin: tilld', 'Origin: other'));
    const forged = await root.sh('rm -rf /var/lib/apt/lists/*; apt-get update');
    expect(forged.out + forged.err).toMatch(/BADSIG|is not signed|invalid/i);
  });

  it.each([
    [['--repository', '/tmp/x'], 'gpg --quick-generate-key'],
    [['--repository', '/tmp/x', '--key', 'k', '--suite', '../up'], '--suite must be'],
    [['--repositori', '/tmp/x'], 'Unknown option'],
  ])('npm run package -- %j is refused before anything is built', (words, message) => {
    const { status, stderr } = spawnSync(process.execPath, ['systemd/package/package.ts', ...words], {
      encoding: 'utf8',
    });
    expect([status, stderr]).toEqual([2, expect.stringContaining(message)]);
  });
});
