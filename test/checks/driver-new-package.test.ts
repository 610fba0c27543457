import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sampleDialect } from '../../drivers/skeleton/lines/virtual.ts';
import { silentLog } from '../../src/base/log.ts';
import { PACKAGE_KINDS } from '../../src/cli/offline/driver-new/kinds.ts';
import { systemClock } from '../../src/runtime/system-clock.ts';
import { startVirtualTerminal } from '../../src/sandbox/terminal/start-virtual-terminal.ts';
import { openTcpLink } from '../../src/transport/tcp.ts';
import { startHost } from '../support/driver-packages/hosts.ts';
import { noDial } from '../support/no-dial.ts';
import { textMemory, VIRTUAL_TERMINAL } from '../support/shop.ts';

const ROOT = join(import.meta.dirname, '../..');
const TSC = realpathSync(join(import.meta.dirname, 'node_modules/.bin/tsc'));

interface Ran {
  readonly exit: number;
  readonly text: string;
}

/** A folder outside of the repository; nothing is downloaded. */
const folder = mkdtempSync(join(tmpdir(), 'tilld-authors-'));
const env = { ...process.env, PATH: `${dirname(process.execPath)}:${process.env['PATH']}` };

async function ran(at: string, program: string, ...args: readonly string[]): Promise<Ran> {
  const options = { cwd: at, env, maxBuffer: 16 * 1024 * 1024 };
  return promisify(execFile)(program, [...args], options).then(
    ({ stdout, stderr }) => ({ exit: 0, text: `${stdout}${stderr}` }),
    (error: { code: number; stdout: string; stderr: string }) => ({
      exit: error.code,
      text: `${error.stdout}${error.stderr}`,
    }),
  );
}

function change(file: string, from: string, to: string): () => void {
  const before = readFileSync(file, 'utf8');
  expect(before).toContain(from);
  writeFileSync(file, before.replace(from, to));
  return () => writeFileSync(file, before);
}

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.each(PACKAGE_KINDS)('tillctl driver new --kind %s', { timeout: 300_000 }, (kind) => {
  const name = `acme${kind.replace(/\W/g, '')}`;
  const made = join(folder, name);

  beforeAll(async () => {
    const tillctl = join(ROOT, 'src/cli/tillctl.ts');
    const { exit, text } = await ran(
      folder,
      process.execPath,
      tillctl,
      'driver',
      'new',
      name,
      '--kind',
      kind,
    );
    expect(text).toContain('npm install && npm test');
    expect(exit).toBe(0);
    const installed = await ran(made, 'npm', 'install', '--offline', '--no-audit', '--no-fund');
    expect(installed.exit, installed.text).toBe(0);
  }, 300_000);

  it('makes a package whose npm test is green at once, with a reason for each row that it leaves out', async () => {
    const { exit, text } = await ran(made, 'npm', 'test', '--silent');
    expect(text).toContain('"failed":0');
    expect(text).toContain('Not for this protocol');
    expect(text).not.toMatch(/sample/i);
    expect(exit).toBe(0);
  });

  it('type-checks with nothing but the kit', async () => {
    expect(await ran(made, process.execPath, TSC, '-p', '.')).toEqual({ exit: 0, text: '' });
  });

  it('is red where a promise is broken, and names the page of the guide', async () => {
    const restore = change(join(made, 'src/result-codes.ts'), "'51': ['refused'", "'51': ['approved'");
    const { exit, text } = await ran(made, 'npm', 'test', '--silent', '--', '--scenario', 'money/');
    restore();
    expect(text).toMatch(/✗ [^\n]*money\/sale-declined.*\(driver guide: money-and-outcomes\.md\)/s);
    expect(exit).toBe(1);
  });

  it('is red where package.json says something else than the code', async () => {
    const restore = change(join(made, 'package.json'), '"maxAmountMinor": 99999999', '"maxAmountMinor": 5');
    const { exit, text } = await ran(made, 'npm', 'test', '--silent', '--', '--scenario', 'opening/free');
    restore();
    expect(text).toMatch(/tilld\.maxAmountMinor is 5.*\(driver guide: package\.md\)/);
    expect(exit).toBe(1);
  });

  it('does not write over a folder', async () => {
    const tillctl = join(ROOT, 'src/cli/tillctl.ts');
    const { exit, text } = await ran(
      folder,
      process.execPath,
      tillctl,
      'driver',
      'new',
      name,
      '--kind',
      kind,
    );
    expect(text).toContain(`${made} already`);
    expect(exit).toBe(1);
  });
});

describe('a package that was made, packed and installed', { timeout: 60_000 }, () => {
  it('sells in a process of its own', async () => {
    const made = join(folder, 'acmelines');
    const packages = join(folder, 'driver-packages');
    const installed = join(packages, 'acmelines');
    mkdirSync(installed, { recursive: true, mode: 0o755 });
    await ran(made, 'npm', 'pack', '--silent');
    await ran(
      made,
      'tar',
      '-xzf',
      'acmelines-1.0.0.tgz',
      '-C',
      installed,
      '--strip-components',
      '1',
      '--no-same-owner',
    );
    const terminal = await startVirtualTerminal({ ...VIRTUAL_TERMINAL, autopilotMs: 5 }, sampleDialect(), {
      clock: systemClock,
      log: silentLog,
      memory: textMemory(),
    });
    const { hostname: host, port } = new URL(terminal.address.replace('tcp:', 'http:'));
    const signal = AbortSignal.timeout(20_000);
    const link = await openTcpLink({ host, port: Number(port), connectTimeoutMs: 5000 })(signal);
    const driver = await startHost(packages, 'acmelines').driver();
    const context = {
      deviceId: 'counter',
      currency: 'EUR',
      clock: systemClock,
      log: silentLog,
      transcript: { record: () => undefined },
      dial: noDial,
      openBeside: noDial,
      options: {},
    } as const;
    const session = await driver.open(link, context, signal);
    const outcome = await session.execute(
      { kind: 'sale', attemptId: 'a', ticket: 'A00001', amount: { minor: 1234, currency: 'EUR' } },
      {
        accepted: () => true,
        progress: () => undefined,
        beforeAcknowledge: () => true,
        beforeEnd: () => true,
      },
      signal,
    );
    await session.close();
    expect(outcome).toMatchObject({ kind: 'approved', report: { amountMinor: 1234 } });
    expect(terminal.snapshot().ledger).toMatchObject([{ amountMinor: 1234, reversed: false }]);
    await terminal.stop();
  });
});
