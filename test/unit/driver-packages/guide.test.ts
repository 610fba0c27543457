import { chmodSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { zvt } from '../../../drivers/terminals/zvt/manifest.ts';
import { AppError, messageOf } from '../../../src/base/errors.ts';
import { type Log, type LogFields, silentLog } from '../../../src/base/log.ts';
import { GUIDE_PAGES } from '../../../src/driver-packages/guide.ts';
import { readPackages } from '../../../src/driver-packages/read-package.ts';
import { systemClock } from '../../../src/runtime/system-clock.ts';
import { matrixOf } from '../../conformance/matrix.ts';
import { subjects } from '../../conformance/subjects/sample.ts';
import { suiteOf } from '../../conformance/suite.ts';
import { eventually } from '../../support/daemon.ts';
import { packagesFolder, startHost } from '../../support/driver-packages/hosts.ts';
import { sectionOf, writePackage } from '../../support/driver-packages/write-package.ts';
import { memoryLinkPair } from '../../support/memory-link.ts';

const GUIDE = join(import.meta.dirname, '../../../drivers/guide');
const CHILD = join(import.meta.dirname, '../../../src/driver-packages/child');
const NAMES_A_PAGE = new RegExp(`\\(driver guide: (${GUIDE_PAGES.join('|')})\\.md\\)$`);
const DRIVER = { 'driver.js': 'export const driver = {};' };

/** The words with which a package of this section and these files is refused before any of its code runs. */
function refusalOf(
  section: object,
  files: Record<string, string> = DRIVER,
  spoil?: (folder: string) => void,
) {
  const packages = packagesFolder();
  const folder = writePackage(packages, 'acme', section, files);
  spoil?.(folder);
  try {
    readPackages(packages, ['acme']);
    return 'not refused';
  } catch (error) {
    return messageOf(error);
  }
}

/** The reason in the log when a package with this code is loaded. */
async function loadRefusalOf(code: string): Promise<string> {
  const packages = packagesFolder();
  writePackage(packages, 'acme', sectionOf(zvt, 'acme'), { 'driver.js': code });
  const failures: LogFields[] = [];
  const log: Log = { ...silentLog, error: (fields) => void failures.push(fields) };
  const { driver } = startHost(packages, 'acme', log);
  const { ours } = memoryLinkPair();
  const context = {
    deviceId: 'counter-1',
    currency: 'EUR',
    options: {},
    clock: systemClock,
    log: silentLog,
    transcript: { record: () => undefined },
    dial: () => Promise.reject(new AppError('LINK_REFUSED', 'no connection')),
    openBeside: () => Promise.reject(new AppError('LINK_REFUSED', 'no connection')),
  } as const;
  const opened = await driver();
  await expect(opened.open(ours, context, new AbortController().signal)).rejects.toMatchObject({
    code: 'DRIVER_FAULT',
  });
  await eventually(() => failures.length > 0);
  return String(failures[0]?.['reason']);
}

describe('the driver guide', () => {
  it('has exactly the pages that refusals name', () => {
    expect(readdirSync(GUIDE).sort()).toEqual(GUIDE_PAGES.map((page) => `${page}.md`).sort());
  });

  it('links to pages that are there', () => {
    for (const page of readdirSync(GUIDE))
      for (const [, target = ''] of readFileSync(join(GUIDE, page), 'utf8').matchAll(/\]\(([^)]+)\)/g))
        expect(existsSync(join(GUIDE, target)), `${page}: ${target}`).toBe(true);
  });
});

describe('a refusal names its page of the guide', () => {
  const usual = sectionOf(zvt, 'acme');
  it.each<readonly [string, () => string]>([
    ['another apiVersion', () => refusalOf({ ...usual, apiVersion: 2 })],
    ['no id', () => refusalOf({ ...usual, id: undefined })],
    ['an unknown key', () => refusalOf({ ...usual, load: 'x' })],
    [
      'an unknown capability',
      () => refusalOf({ ...usual, capabilities: { ...zvt.capabilities, void: 'all' } }),
    ],
    ['no main file', () => refusalOf(usual, {})],
    ['no package.json', () => refusalOf(usual, { 'package.json': 'no JSON' })],
    ['a folder that others can write', () => refusalOf(usual, DRIVER, (folder) => chmodSync(folder, 0o777))],
  ])('when the package is read: %s', (_what, refusal) => {
    expect(refusal()).toMatch(NAMES_A_PAGE);
  });

  it.each([
    ['a module of Node', "import 'node:fs';\nexport const driver = {};"],
    ['a module that is not there', "import './nowhere.js';\nexport const driver = {};"],
    ['no driver', 'export const other = 1;'],
    ['an error of its own', "throw new Error('planted');"],
  ])('when the package is loaded: %s', { timeout: 60_000 }, async (_what, code) => {
    expect(await loadRefusalOf(code)).toMatch(NAMES_A_PAGE);
  });

  it('in every sentence of the process that loads packages', () => {
    for (const file of ['lockdown.ts', 'main.ts'])
      for (const [thrown] of readFileSync(join(CHILD, file), 'utf8').matchAll(/throw new \w+\(.{0,12}/gs))
        expect(thrown, file).toContain('inGuide(');
  });

  it('when a row of the conformance suite is broken, whatever its theme', () => {
    for (const scenario of suiteOf()) {
      const [subject] = subjects;
      if (!subject) throw new Error('there is no subject');
      const matrix = matrixOf([subject], [{ scenario, verdicts: [{ kind: 'red', words: 'planted' }] }]);
      expect(matrix).toMatch(NAMES_A_PAGE);
      expect(matrix, scenario.theme).not.toMatch(/testing\.md\)$/);
    }
  });
});
