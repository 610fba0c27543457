import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { argumentsFor } from '../../../src/driver-packages/child-process.ts';
import { packagesFolder } from '../../support/driver-packages/hosts.ts';

/** Code that was let through everything that stands before it inside of the language. */
const PROBE = `
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { Worker } from 'node:worker_threads';
import { Session } from 'node:inspector';
const [secret, own] = ['SECRET', 'OWN'];
const tries = {
  'read credentials/': () => fs.readFileSync(secret, 'utf8'),
  'list credentials/': () => fs.readdirSync(secret + '/..'),
  'stat credentials/': () => fs.statSync(secret).size,
  'open credentials/': () => fs.openSync(secret, 'r'),
  'link to credentials/': () => fs.symlinkSync(secret, own + '/link'),
  'read /etc/passwd': () => fs.readFileSync('/etc/passwd', 'utf8'),
  'read the environment of its parent': () => fs.readFileSync('/proc/' + process.ppid + '/environ', 'utf8'),
  'write its own folder': () => fs.writeFileSync(own + '/x', 'x'),
  'write beside credentials/': () => fs.writeFileSync(secret + '.new', 'x'),
  'remove credentials/': () => fs.rmSync(secret),
  'change a mode': () => fs.chmodSync(own + '/probe.js', 0o777),
  'start a program': () => { const { error } = spawnSync('/bin/true'); if (error) throw error; },
  'start a thread': () => new Worker('0', { eval: true }),
  'load an addon': () => process.dlopen({ exports: {} }, own + '/x.node'),
  'use a binding': () => process.binding('fs'),
  'start the inspector': () => new Session().connect(),
  'read its own folder': () => fs.readFileSync(own + '/probe.js', 'utf8'),
};
const came = {};
for (const [name, run] of Object.entries(tries)) {
  try { run(); came[name] = 'done'; } catch (error) { came[name] = error.code ?? error.message; }
}
process.stdout.write(JSON.stringify(came));
`;

describe('code of a driver package that is out of every other limit', () => {
  const came: Record<string, string> = {};

  beforeAll(async () => {
    const root = packagesFolder();
    const folder = join(root, 'acme');
    const secret = join(root, 'credentials', 'service-key');
    mkdirSync(folder);
    mkdirSync(join(root, 'credentials'));
    writeFileSync(secret, 'secret');
    const probe = join(folder, 'probe.js');
    writeFileSync(probe, PROBE.replace('SECRET', secret).replace('OWN', folder));
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    const { stdout } = await promisify(execFile)(process.execPath, [...argumentsFor({ folder }, probe)], {
      env: {},
    });
    Object.assign(came, JSON.parse(stdout));
  });

  it('reads its own folder', () => {
    expect(came['read its own folder']).toBe('done');
  });

  it.each([
    'read credentials/',
    'list credentials/',
    'stat credentials/',
    'open credentials/',
    'link to credentials/',
    'read /etc/passwd',
    'read the environment of its parent',
    'write its own folder',
    'write beside credentials/',
    'remove credentials/',
    'change a mode',
    'start a program',
    'start a thread',
    'use a binding',
  ])('cannot %s', (what) => {
    expect(came[what]).toBe('ERR_ACCESS_DENIED');
  });

  it('cannot load an addon, nor start the inspector', () => {
    expect([came['load an addon'], came['start the inspector']]).not.toContain('done');
  });
});
