import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeAuthority } from '../../../src/certificates/authority.ts';
import { checkConfigFile } from '../../../src/cli/offline/doctor/configuration.ts';
import { bytesOfHex, LONGEST_HEX } from '../../../src/cli/offline/hex.ts';
import { inputLines } from '../../../src/cli/offline/input-lines.ts';
import { findConfig } from '../../../src/cli/offline/state-files.ts';
import { command, documentOf } from './command-line.ts';

describe('hex as people paste it', () => {
  it.each(['060F00', '06 0f 00', '06:0F:00', '0x06 0x0F 0x00', '0x060F00', ' 06,0f\n00 '])(
    'reads "%s"',
    (text) => {
      expect([...bytesOfHex(text)]).toEqual([0x06, 0x0f, 0x00]);
    },
  );

  it.each([
    ['', 0],
    ['06 0', 1],
    ['060', 1],
    ['06 0G', 1],
    ['zz', 0],
    ['6 0F0', 0],
    ['a'.repeat(LONGEST_HEX + 2), LONGEST_HEX / 2],
  ])('refuses %.10s and says at which byte', (text, offset) => {
    expect(() => bytesOfHex(text)).toThrow(
      expect.objectContaining({ code: 'DECODE_MALFORMED', context: { offset } }),
    );
  });
});

describe('input in lines', () => {
  async function linesOf(chunks: readonly string[], longest: number) {
    const lines: string[] = [];
    const input = (async function* () {
      for (const chunk of chunks) yield new TextEncoder().encode(chunk);
    })();
    for await (const line of inputLines(input, longest))
      lines.push(line.kind === 'line' ? line.text : 'TOO LONG');
    return lines;
  }

  it('does not mind how the bytes are cut, nor a missing last line break', async () => {
    expect(await linesOf(['a', 'b\nc', 'd\n', 'e'], 9)).toEqual(['ab', 'cd', 'e']);
  });

  it('keeps nothing of a line that is too long, and reads on behind it', async () => {
    expect(await linesOf(['aaaa', 'aaaa', 'aa\nok\n'], 4)).toEqual(['TOO LONG', 'ok']);
    expect(await linesOf(['aaaaa\nok'], 4)).toEqual(['TOO LONG', 'ok']);
  });
});

describe('tillctl decode', () => {
  const zvt = ['decode', '--protocol', 'zvt'];

  it('prints a completion as one document', async () => {
    const ran = await command([...zvt, '--layer', 'apdu', '06', '0F', '00']);
    expect(ran).toMatchObject({ exit: 0, err: '' });
    const keys = ['protocol', 'layer', 'kind', 'name', 'fields', 'checksum', 'parts'];
    expect(Object.keys(documentOf(ran.out) ?? {})).toEqual(keys);
    expect(documentOf(ran.out)).toMatchObject({ protocol: 'zvt', layer: 'apdu' });
  });

  it('refuses bytes with exit 1, a code and an offset', async () => {
    const ran = await command([...zvt, '06 0G']);
    expect(ran.exit).toBe(1);
    expect(documentOf(ran.out)).toEqual({
      error: { code: 'malformed', message: expect.any(String), offset: 1 },
    });
  });

  it('reads one recording per line and prints one document for each, refused ones included', async () => {
    const input = (async function* () {
      yield new TextEncoder().encode('060F00\n\nxx\n06 0F 00');
    })();
    const ran = await command([...zvt, '--layer', 'apdu', '-'], { input });
    const documents = ran.out
      .trimEnd()
      .split('\n')
      .map((line) => Object.keys(JSON.parse(line))[0]);
    expect(documents).toEqual(['protocol', 'error', 'protocol']);
    expect(ran.exit).toBe(1);
  });

  it.each([
    ['a protocol nobody knows', ['decode', '--protocol', 'morse', '00']],
    ['a layer nobody knows', [...zvt, '--layer', 'cake', '00']],
    ['a context that is no hex', [...zvt, '--context', 'x', '00']],
  ])('%s ends 2', async (_what, words) => {
    expect((await command(words)).exit).toBe(2);
  });
});

interface Wrong {
  readonly key?: string;
  readonly secret?: string;
  readonly tls?: { readonly certificate?: string; readonly key?: string };
}

/** The configuration of a live shop with all that it names, one thing wrong. */
function liveShop(folder: string, { key = 'rk_live_1', secret, tls = {} }: Wrong = {}): string {
  mkdirSync(join(folder, 'credentials'), { recursive: true });
  const put = (name: string, text: string) => writeFileSync(join(folder, name), text, { mode: 0o600 });
  put('credentials/service-key', key);
  put('credentials/hook', secret ?? `whsec_${'a'.repeat(24)}`);
  put('right.pem', PAIR.cert);
  put('right.key', PAIR.key);
  put('other.key', OTHER.key);
  const { certificate = 'right.pem', key: keyFile = 'right.key' } = tls;
  const file = join(folder, 'shop.jsonc');
  const config = {
    version: 1,
    environment: 'live',
    state_dir: folder,
    service: { url: 'https://billing.example', webhook_credential: 'hook' },
    tls: { certificate: join(folder, certificate), key: join(folder, keyFile) },
  };
  writeFileSync(file, JSON.stringify(config));
  return file;
}

const [PAIR, OTHER] = [await makeAuthority('One', Date.now()), await makeAuthority('Other', Date.now())];

describe('tillctl config check', () => {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'tillctl-config-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('finds nothing wrong with the demo, which it takes when there is no other file', async () => {
    const ran = await command(['config', 'check', '--json'], { cwd: folder });
    expect(ran.exit).toBe(0);
    expect(documentOf(ran.out)).toMatchObject({ data: { ok: true, environment: 'sandbox', warnings: [] } });
  });

  it('says which files were read, and the doctor which of them every user can write', async () => {
    mkdirSync(join(folder, 'conf.d'), { recursive: true });
    const chain = join(folder, 'conf.d/50-chain.jsonc');
    writeFileSync(chain, '{ "version": 1 }');
    chmodSync(chain, 0o646);
    const file = join(folder, 'shop.jsonc');
    writeFileSync(file, '{ "environment": "live" }');
    const ran = await command(['config', 'check', 'shop.jsonc'], { cwd: folder });
    expect([ran.exit, ran.out]).toEqual([0, expect.stringContaining(`It was read over ${chain}.`)]);
    const finding = checkConfigFile({ configuration: findConfig({ config: file }, { cwd: folder }) });
    expect(finding).toMatchObject({ level: 'fail', what: expect.stringContaining(`can write ${chain}`) });
    rmSync(join(folder, 'conf.d'), { recursive: true });
  });

  it('ends 2 with every problem and its place', async () => {
    writeFileSync(join(folder, 'bad.jsonc'), '{ "version": 1,\n "environmant": "live" }');
    const ran = await command(['config', 'check', 'bad.jsonc', '--json'], { cwd: folder });
    expect(ran.exit).toBe(2);
    expect(documentOf(ran.out)).toMatchObject({
      error: {
        code: 'config_invalid',
        details: { problems: [{ path: 'environment' }, { line: 2, path: 'environmant' }] },
      },
    });
    expect(ran.err).toContain('did you mean "environment"?');
  });

  it('checks the options of a device with its driver', async () => {
    const device = { id: '0199c0de-0000-7000-8000-000000000001', name: 'A', driver: 'zvt', currency: 'EUR' };
    const odd = { ...device, link: { type: 'tcp', host: 'a' }, options: { no_such_option: 1 } };
    writeFileSync(
      join(folder, 'odd.jsonc'),
      JSON.stringify({ version: 1, environment: 'live', devices: [odd] }),
    );
    const ran = await command(['config', 'check', 'odd.jsonc'], { cwd: folder });
    expect(ran.exit).toBe(2);
    expect(ran.err).toContain('devices[0].options.no_such_option');
  });

  it('takes an option that has no effect any more, and says so', async () => {
    const device = {
      id: '0199c0de-0000-7000-8000-000000000001',
      name: 'A',
      driver: 'concert',
      currency: 'EUR',
    };
    const withdrawn = { ...device, link: { type: 'tcp', host: 'a' }, options: { void: 'last' } };
    writeFileSync(
      join(folder, 'withdrawn.jsonc'),
      JSON.stringify({ version: 1, environment: 'live', devices: [withdrawn] }),
    );
    const ran = await command(['config', 'check', 'withdrawn.jsonc'], { cwd: folder });
    expect(ran.exit).toBe(0);
    expect(ran.err).toMatch(/^warning: devices\[0\]\.options\.void: has no effect any more.*Refund/);
  });

  it('says so of options inside of others, and of virtual terminals', async () => {
    const device = {
      id: '0199c0de-0000-7000-8000-000000000001',
      name: 'A',
      driver: 'zvt',
      currency: 'EUR',
      link: { type: 'virtual', terminal: 'V' },
      options: { preauthorisation: true, quirks: { capture: 'partial_reversal' } },
    };
    const terminals = [
      { name: 'V', protocol: 'zvt', options: { reservations: 'list', goodsRetryMs: 500, hostMs: 1 } },
    ];
    writeFileSync(
      join(folder, 'reserving.jsonc'),
      JSON.stringify({ version: 1, environment: 'sandbox', devices: [device], sandbox: { terminals } }),
    );
    const ran = await command(['config', 'check', 'reserving.jsonc'], { cwd: folder });
    expect(ran.exit).toBe(0);
    expect(ran.err.match(/^warning: \S+: has no effect any more/gm)).toEqual(
      [
        'devices[0].options.preauthorisation',
        'devices[0].options.quirks.capture',
        'sandbox.terminals[0].options.reservations',
        'sandbox.terminals[0].options.goodsRetryMs',
      ].map((path) => `warning: ${path}: has no effect any more`),
    );
  });

  it('warns when the service is configured and its key is nowhere', async () => {
    const text = JSON.stringify({
      version: 1,
      environment: 'live',
      service: { url: 'https://billing.example' },
    });
    writeFileSync(join(folder, 'service.jsonc'), text);
    const ran = await command(['config', 'check', 'service.jsonc'], { cwd: folder });
    expect(ran.exit).toBe(0);
    expect(ran.err).toContain('no credential "service-key"');
  });

  it.each([
    ['a service key of another environment', { key: 'rk_sandbox_1' }, 'begins with rk_sandbox_'],
    ['a service key of two lines', { key: 'rk_live_1\nrk_live_2' }, 'more than one line'],
    ['a signing secret that is none', { secret: 'secret' }, 'begin with whsec_'],
    ['a certificate that is not there', { tls: { certificate: 'none.pem' } }, 'cannot read'],
    [
      'a certificate that belongs to another key',
      { tls: { key: 'other.key' } },
      'no certificate with its key',
    ],
  ])('ends 2 where the daemon would not start: %s', async (_what, wrong: Wrong, words) => {
    const ran = await command(['config', 'check', liveShop(join(folder, 'refused'), wrong)], { cwd: folder });
    expect(ran).toMatchObject({ exit: 2, out: '', err: expect.stringContaining(words) });
  });

  it('finds nothing wrong with a live shop whose key, secret and certificate are right', async () => {
    const ran = await command(['config', 'check', liveShop(join(folder, 'right'))], { cwd: folder });
    expect(ran).toMatchObject({ exit: 0, err: '' });
  });

  it('checks the options of a virtual terminal with its family', async () => {
    const counter = { name: 'Counter 1', protocol: 'zvt', options: { voidz: 'any' } };
    writeFileSync(
      join(folder, 'virtual.jsonc'),
      JSON.stringify({ version: 1, environment: 'sandbox', sandbox: { terminals: [counter] } }),
    );
    const ran = await command(['config', 'check', 'virtual.jsonc'], { cwd: folder });
    expect(ran).toMatchObject({
      exit: 2,
      err: expect.stringContaining('sandbox.terminals[0].options.voidz'),
    });
    expect(ran.err).toContain('did you mean "voids"?');
  });

  it('a file that is not there ends 2', async () => {
    expect((await command(['config', 'check', 'none.jsonc'], { cwd: folder })).exit).toBe(2);
  });
});
