import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readCredential } from '../../../src/config/credentials.ts';

describe('a credential', () => {
  let stateDir = '';
  const put = (folder: string, text: string, mode = 0o600): string => {
    mkdirSync(folder, { recursive: true });
    const file = join(folder, 'service-key');
    writeFileSync(file, text);
    chmodSync(file, mode);
    return file;
  };
  beforeEach(() => {
    stateDir = mkdtempSync(join(tmpdir(), 'tilld-credentials-'));
  });
  afterEach(() => rmSync(stateDir, { recursive: true }));

  it('is undefined when nobody has it', () => {
    expect(readCredential('service-key', { stateDir, env: {} })).toBeUndefined();
  });

  it('comes from the folder of systemd before the state folder before the environment', () => {
    const systemd = join(stateDir, 'systemd');
    const env = { CREDENTIALS_DIRECTORY: systemd, TILLD_SERVICE_KEY: 'three' };
    expect(readCredential('service-key', { stateDir, env })?.value).toBe('three');
    put(join(stateDir, 'credentials'), 'two\n');
    expect(readCredential('service-key', { stateDir, env })?.value).toBe('two');
    put(systemd, 'one\n');
    expect(readCredential('service-key', { stateDir, env })).toMatchObject({ value: 'one', warning: null });
  });

  it('that everybody can read comes with a warning that names the file and not the secret', () => {
    const file = put(join(stateDir, 'credentials'), 'rk_sandbox_secret', 0o644);
    const { warning } = readCredential('service-key', { stateDir, env: {} }) ?? {};
    expect(warning).toContain(file);
    expect(warning).not.toContain('rk_sandbox_secret');
  });

  it.each([
    ['empty', ''],
    ['of two lines', 'a\nb'],
    ['huge', 'a'.repeat(8193)],
  ])('that is %s is refused without its text', (_what, text) => {
    put(join(stateDir, 'credentials'), text);
    const read = () => readCredential('service-key', { stateDir, env: {} });
    expect(read).toThrow(expect.objectContaining({ code: 'CREDENTIAL_INVALID' }));
    expect(read).not.toThrow(/aaaa|\nb/);
  });

  it('cannot be named out of its folder', () => {
    expect(() => readCredential('../service-key', { stateDir, env: {} })).toThrow(/credential name/);
  });
});
