import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { prelude } from '../../../systemd/package/snapshot-prelude.ts';

const KNOWN = { METHODS: ['GET'] };

describe('the snapshot of the package', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tilld-snapshot-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const node = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
    spawnSync(process.execPath, ['--no-warnings', '--snapshot-blob', join(folder, 'blob'), ...args], {
      encoding: 'utf8',
      env: { ...process.env, ...env },
    });
  /** `loaded` runs while it is made, `woken` at every start. */
  const make = (loaded: string, woken: string) => {
    const script = join(folder, 'script.cjs');
    const text = `const kept = (${prelude.toString()})(${JSON.stringify(KNOWN)});
      ${loaded};
      kept.builtin('node:v8').startupSnapshot.setDeserializeMainFunction(() => { ${woken} });`;
    writeFileSync(script, text);
    return node(['--build-snapshot', script]);
  };
  const wake = (env?: Readonly<Record<string, string>>) =>
    node(['--', join(folder, 'tilld.js')], env).stdout.trim();

  it.each([
    'crypto.randomUUID()',
    "kept.builtin('node:crypto').randomBytes(4)",
    'Math.random()',
    'kept.place()',
    "kept.builtin('node:http').createServer()",
  ])('cannot be made of what asks for "%s" while it is loaded: every start would have the same', (asked) => {
    const { status, stderr } = make(asked, '');
    expect(status).not.toBe(0);
    expect(stderr).toContain('is asked while the snapshot is made');
  });

  it('gives every start its own randomness, place and zone', () => {
    const told = "kept.builtin('node:crypto').randomUUID(), Math.random(), kept.place(), time.format(0)";
    const time = "const time = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' })";
    expect(make(time, `console.log(JSON.stringify([${told}]))`)).toMatchObject({ status: 0 });
    const [one, other] = ['Asia/Tokyo', 'UTC'].map((TZ) => JSON.parse(wake({ TZ })));
    expect(one[0]).not.toBe(other[0]);
    expect(one[1]).not.toBe(other[1]);
    expect(one[2]).toBe(`file://${join(folder, 'tilld.js')}`);
    expect([one[3], other[3]]).toEqual(['09:00', '00:00']);
  });

  it('has the whole of what it cannot hold once it is woken', () => {
    const loaded = "const http = kept.builtin('node:http'); const methods = http.METHODS";
    const woken = 'console.log(JSON.stringify([methods, typeof http.createServer, http.METHODS.length > 9]))';
    expect(make(loaded, woken)).toMatchObject({ status: 0 });
    expect(JSON.parse(wake())).toEqual([['GET'], 'function', true]);
  });
});
