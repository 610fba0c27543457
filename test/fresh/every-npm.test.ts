import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { Newcomer } from './newcomer.ts';
import { nodeOf, npmOf, type Toolchain, toolchain } from './toolchain.ts';

/** What Debian 12, Node 20.9, Node 20.20 and Node 24 came with, and what is newest today. */
const NPMS = ['9.2.0', '10.2.4', '10.8.2', '11.6.0', 'latest'].map(npmOf);
const NODES = ['18', '20', '22', '24'].map(nodeOf);
/** npm itself does not run there: npm 12 loads an ES module with `require`, which Node 18 cannot. */
const NPM_SAYS = /npm v12\.\S+ does not support Node\.js v18/;

const combinations = NPMS.flatMap((npm) => NODES.map((node) => ({ npm, node })));

describe('npm ci and npm start, a payment, SIGTERM, npm test', () => {
  it.concurrent.for(combinations)(
    'npm $npm.version on Node $node.version',
    async ({ npm, node }, { annotate }) => {
      // Of this run alone: a second try finds its own.
      const tools = toolchain(node, npm);
      const newcomer = await Newcomer.arrives(tools);
      try {
        if (Number.parseInt(tools.npm, 10) >= 12 && Number.parseInt(tools.node, 10) < 20)
          return await npmRefuses(newcomer);
        const begun = performance.now();
        const installed = await newcomer.run('npm ci');
        const seconds = ((performance.now() - begun) / 1000).toFixed(1);
        expect(installed).toMatchObject({ code: 0 });
        expect(installed.output).not.toContain('EBADENGINE');
        const size = execFileSync('du', ['-sm', 'node_modules'], { cwd: newcomer.home, encoding: 'utf8' });
        await annotate(`npm ci: ${seconds} s, node_modules: ${Number.parseInt(size, 10)} MB`);

        const daemon = await newcomer.start('npm start -- --listen 127.0.0.1:0');
        const paid = await newcomer.run('npx tillctl pay --device "Counter 1" --amount 12.34');
        expect(paid).toMatchObject({ code: 0, output: expect.stringContaining('HAS paid 12.34 EUR') });
        const stopped = await daemon.stop();
        expect(stopped.output).toContain('"signal":"SIGTERM","msg":"stopping');
        await expect(fetch(daemon.url)).rejects.toThrow();

        await daemonsExitCode(newcomer, tools);
        // Whatever Node and npm: the tests themselves run on the Node of the packages, and all of them in `npm test` of a run.
        const tests = await newcomer.run('npm test -- test/unit/base/money');
        expect(tests).toMatchObject({ code: 0, output: expect.stringMatching(/^\d+ passed, 0 failed/m) });
      } finally {
        newcomer.leaves();
        rmSync(tools.bin, { recursive: true });
      }
    },
  );
});

/** npm says so itself, and not something of ours. */
async function npmRefuses(newcomer: Newcomer): Promise<void> {
  const { code, output } = await newcomer.run('npm ci');
  expect(code).not.toBe(0);
  expect(output).toMatch(NPM_SAYS);
}

/** A port that is taken is exit 2 of the daemon, and so of `npm start`. */
async function daemonsExitCode(newcomer: Newcomer, tools: Toolchain): Promise<void> {
  const taken = createServer().listen(0, '127.0.0.1');
  try {
    const address = taken.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    const { code, output } = await newcomer.run(`npm start -- --listen 127.0.0.1:${port}`);
    expect([tools.npm, code]).toEqual([tools.npm, 2]);
    expect(output).toContain(String(port));
  } finally {
    taken.close();
  }
}
