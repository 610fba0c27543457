import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CleanRoot, lacking } from '../support/clean-root.ts';
import { nodeOf, npmOf } from './toolchain.ts';

const ROOT = join(import.meta.dirname, '../..');
const HOME = '/home/newcomer/tilld';
/** The certificates that this machine trusts: its way to the registry may have one of its own. */
const TRUSTED = '/etc/ssl/certs/ca-certificates.crt';
const LONGEST_RUN_MS = 45 * 60_000;
/** What the title of a skipped test says besides its promise. */
const REASON = /\((skipped: .+|no systemd-analyze: .+)\)|: the vectors are not beside this project/;

interface Reported {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly testResults: readonly {
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
  }[];
}

const missing = lacking(['debootstrap']);

describe.skipIf(missing !== '')(`an empty Debian${missing === '' ? '' : ` (skipped: ${missing})`}`, () => {
  let root: CleanRoot;

  beforeAll(async () => {
    root = CleanRoot.make();
    // What every machine has that was booted, and a bare folder has not.
    execFileSync('mount', ['-t', 'devpts', '-o', 'ptmxmode=666', 'devpts', root.at('dev/pts')]);
    mkdirSync(root.at('dev/shm'), { recursive: true });
    execFileSync('mount', ['-t', 'tmpfs', 'tmpfs', root.at('dev/shm')]);
    for (const [name, from] of [
      ['node', nodeOf('18')],
      ['npm', npmOf('9.2.0')],
    ] as const) {
      mkdirSync(root.at(`opt/${name}`));
      cpSync(from.folder, root.at(`opt/${name}`), { recursive: true, verbatimSymlinks: true });
    }
    await root.must('apt-get update && apt-get install -y --no-install-recommends git ca-certificates');
    await root.must(
      'ln -s /opt/node/bin/node /usr/local/bin/node && ln -s /opt/npm/bin/npm-cli.js /usr/local/bin/npm && ln -s /opt/npm/bin/npx-cli.js /usr/local/bin/npx',
    );
    if (existsSync(TRUSTED)) cpSync(TRUSTED, root.at(TRUSTED));
    execFileSync('git', ['clone', '--quiet', ROOT, root.at(HOME)]);
  });
  afterAll(() => {
    if (root === undefined) return;
    for (const mounted of ['dev/pts', 'dev/shm']) execFileSync('umount', ['-l', root.at(mounted)]);
    root.remove();
  });

  const there = (command: string) =>
    root.must(
      `export npm_config_cafile=${TRUSTED} PATH=/usr/local/bin:$PATH; cd ${HOME} || exit 1; ${command}`,
    );

  it('has no compiler, no python, no sqlite3, no socat', async () => {
    expect((await root.sh('which cc gcc g++ make python3 sqlite3 socat')).out).toBe('');
  });

  it('installs without a word about engines, sells, and says so', async () => {
    const installed = await there('npm ci 2>&1');
    expect(installed).toMatch(/added \d+ packages/);
    expect(installed).not.toContain('EBADENGINE');
    const output = await there(
      'npm start -- --listen 127.0.0.1:0 > /tmp/start.log 2>&1 & started=$!; for i in $(seq 100); do grep -q "^tilld ready" /tmp/start.log && break; sleep 0.2; done; npx tillctl pay --device "Counter 1" --amount 12.34; paid=$?; kill "$(cut -d" " -f1 .tilld/tilld.pid)"; wait $started; exit $paid',
    );
    expect(output).toContain('HAS paid 12.34 EUR');
  });

  it('passes the whole npm test; what is skipped says why', { timeout: LONGEST_RUN_MS }, async () => {
    const report = '/tmp/report.json';
    const command = `npm test -- --reporter=json --outputFile.json=${report} --reporter=./test/support/plain-count-reporter.ts`;
    const ended = await root.sh(
      `export PATH=/usr/local/bin:$PATH; cd ${HOME} && ${command} > /tmp/test.log 2>&1`,
    );
    const { testResults, ...counts }: Reported = JSON.parse(readFileSync(root.at(report), 'utf8'));
    const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
    expect(tests.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName)).toEqual([]);
    expect([ended.status, counts.numFailedTests]).toEqual([0, 0]);
    expect(counts.numPassedTests).toBeGreaterThan(10_000);
    const silent = tests.filter(({ status, fullName }) => status !== 'passed' && !REASON.test(fullName));
    expect(silent.map(({ fullName }) => fullName)).toEqual([]);
  });
});
