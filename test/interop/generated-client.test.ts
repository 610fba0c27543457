import { execFile } from 'node:child_process';
import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openApiDocument } from '../../src/api/openapi/document.ts';
import { aWorld, Daemon } from '../support/daemon.ts';
import { aFolder } from '../support/money-database.ts';
import { tillctl } from '../support/till.ts';
import { routesOf } from '../unit/api/as-described.ts';
import { openShop } from '../unit/api/shop.ts';
import { FOREIGN, foreignFolder } from './foreign-package.ts';

const PROGRAM = join(import.meta.dirname, 'generated-client');
const COMPILER = join(foreignFolder('typescript'), 'bin', 'tsc');
const GENERATOR = join(FOREIGN, 'node_modules/@hey-api/openapi-ts/bin/run.js');
const NOBODY = '0198c5a0-cccc-7000-8000-000000000009';

interface Ended {
  readonly code: number;
  readonly output: string;
}

function node(folder: string, ...args: readonly string[]): Promise<Ended> {
  return new Promise((resolve) => {
    execFile(process.execPath, args, { cwd: folder }, (error, stdout, stderr) =>
      resolve({ code: error ? 1 : 0, output: `${stdout}${stderr}` }),
    );
  });
}

async function keyAt(daemon: Daemon): Promise<string> {
  const scopes = ['payments:read', 'payments:write', 'webhooks:read'].flatMap((scope) => ['--scope', scope]);
  const { stdout } = await tillctl(daemon, 'keys', 'create', ...scopes, '--json');
  return JSON.parse(stdout).data.key;
}

// biome-ignore lint/suspicious/noExplicitAny: a test breaks a document of many shapes
type Wrong = any;

/** A folder as an integrator has it: their program, the description, and the client that was generated from it. */
async function programBeside(description: string): Promise<string> {
  const folder = aFolder();
  cpSync(PROGRAM, folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(folder, 'openapi.json'), description);
  expect(await node(folder, GENERATOR, '-f', 'openapi-ts.config.mjs')).toMatchObject({ code: 0 });
  return folder;
}

describe('a client that a generator made of the description', () => {
  it('takes a payment, once, gives a part of it back, and reads everything that happened', async () => {
    const world = await aWorld();
    const daemon = await Daemon.start(world);
    const key = await keyAt(daemon);
    const description = await (await fetch(`${daemon.url}/v2/openapi.json`)).text();
    const folder = await programBeside(description);
    expect(await node(folder, COMPILER, '-p', '.')).toEqual({ code: 0, output: '' });

    const { code, output } = await node(folder, 'out/till.js', daemon.url, key, NOBODY);
    expect(code, output).toBe(0);
    const seen = JSON.parse(output);
    expect(seen).toEqual({
      device: 'Counter 1',
      first: 'requested',
      paid: { status: 'succeeded', charged: 'yes', amount: 1234 },
      again: { same: true, replayed: 'true' },
      other: { status: 422, code: 'IDEMPOTENCY_KEY_MISMATCH' },
      unknown: { status: 404, code: 'resource_not_found' },
      lessThanNothing: { status: 400, code: 'validation_error' },
      givenBack: { type: 'refund', charged: 'yes', parent: true },
      events: expect.arrayContaining(['terminal_payment.succeeded', 'terminal_refund.succeeded']),
      once: true,
    });
    const { ledger } = world.terminal.snapshot();
    expect(ledger.map(({ kind, result, amountMinor }) => [kind, result, amountMinor])).toEqual([
      ['sale', 'approved', 1234],
      ['refund', 'approved', 500],
    ]);
  }, 180_000);

  it.each([
    [
      'asks for a field that the program does not send',
      (document: Wrong) => {
        const { properties, required } = document.components.schemas.CreateTerminalPayment;
        properties.colour = { type: 'string' };
        required.push('colour');
      },
    ],
    [
      'does not know the answer that the program waits for',
      (document: Wrong) => delete document.paths['/v2/terminal-payments/{id}'].get.responses['200'],
    ],
  ])('does not compile where the description %s', async (_name, lie) => {
    const document = JSON.parse(JSON.stringify(openApiDocument(await routesOf(openShop().deps), '0.1.0')));
    lie(document);
    const folder = await programBeside(JSON.stringify(document));
    const { code, output } = await node(folder, COMPILER, '-p', '.');
    expect(code).toBe(1);
    expect(output).toContain('till.ts');
  });
});
