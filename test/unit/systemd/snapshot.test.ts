import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { compileAhead } from '../../../systemd/package/compile-ahead.ts';
import { leanSnapshot } from '../../../systemd/package/lean-snapshot.ts';
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

  it('loads a file of a package that lies beside the woken program, whatever the package exports', () => {
    const lib = join(folder, 'node_modules/with-binary/lib');
    mkdirSync(lib, { recursive: true });
    const exports = { '.': './lib/index.js', './package.json': './package.json' };
    writeFileSync(join(lib, '../package.json'), JSON.stringify({ name: 'with-binary', exports }));
    writeFileSync(join(lib, 'index.js'), "throw new Error('the whole package is loaded')");
    writeFileSync(join(lib, 'binding.js'), "exports.found = () => 'binary'");
    const loaded = "const binding = kept.late('with-binary', 'lib/binding.js')";
    expect(make(loaded, 'console.log(binding.found())')).toMatchObject({ status: 0 });
    expect(wake()).toBe('binary');
  });

  describe('with functions that are compiled when it is made', () => {
    const script = `
function called(value) { const inner = () => value + 1; return inner(); }
class Kind { #hidden(value) { return value * 2; } shown(value) { return this.#hidden(value); } }
function other(value) { return value; }
require('node:v8').startupSnapshot.setDeserializeMainFunction(() => console.log(called(1), new Kind().shown(2), other(3)));
`;
    const endOf = (text: string) => script.indexOf(text) + text.length;
    const makeWith = (ends: readonly number[]) => {
      const gaps = ends.map((end, index) => end - (ends[index - 1] ?? 0));
      const call = `(${compileAhead.toString()})('script.cjs', ${JSON.stringify(gaps)});`;
      writeFileSync(join(folder, 'script.cjs'), script + call);
      const config = { builder: join(folder, 'script.cjs'), withoutCodeCache: false };
      writeFileSync(join(folder, 'config.json'), JSON.stringify(config));
      return node(['--build-snapshot-config', join(folder, 'config.json')]);
    };
    const compiledByTheStart = () => {
      const { stdout } = node(['--print-bytecode']);
      const names = ['called', 'inner', '#hidden', 'shown', 'other'];
      return names.filter((name) => stdout.includes(`[generated bytecode for function: ${name} (`));
    };

    it('is woken with those, and compiles the rest when it is called', () => {
      expect(makeWith([])).toMatchObject({ status: 0 });
      expect(compiledByTheStart()).toEqual(['called', 'inner', '#hidden', 'shown', 'other']);
      const ends = ['return inner(); }', 'return value * 2; }', 'this.#hidden(value); }'].map(endOf);
      expect(makeWith(ends)).toMatchObject({ status: 0 });
      expect(compiledByTheStart()).toEqual(['inner', 'other']);
    });

    it('has nothing of Node compiled but what is named, and is the same in all else', () => {
      const ends = [endOf('return inner(); }')];
      expect(makeWith(ends)).toMatchObject({ status: 0 });
      const whole = readFileSync(join(folder, 'blob'));
      const lean = leanSnapshot(whole);
      expect(whole.length - lean.length).toBeGreaterThan(2_000_000);
      expect(lean.includes('_http_server')).toBe(true);
      writeFileSync(join(folder, 'blob'), lean);
      expect(wake()).toBe('2 4 3');
      expect(compiledByTheStart()).not.toContain('called');
    });

    it('stays as it is where its end is not the list that is known', () => {
      const list = (name: string, code: string) => [length(name.length), name, length(code.length), code];
      const length = (value: number) => String.fromCharCode(value).padEnd(8, '\0');
      const of = (...parts: string[]) => Buffer.from(parts.join(''), 'latin1');
      const start = 'a snapshot';
      const known = of(start, length(2), ...list('fs', 'FS'), ...list('http', 'HTTP'));
      expect(leanSnapshot(known)).toEqual(of(start, length(1), ...list('http', 'HTTP')));
      expect(leanSnapshot(known, new Set())).toEqual(of(start, length(0)));
      for (const odd of [known.subarray(0, -1), Buffer.concat([known, of('!')]), of(start), of('')]) {
        expect(leanSnapshot(odd)).toBe(odd);
      }
    });
  });
});
