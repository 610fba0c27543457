import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { terminalDrivers } from '../../../drivers/index.ts';
import { AppError } from '../../base/errors.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { type GlobalOptions, type Io, printDocument } from '../io.ts';
import type { PackageKind } from './driver-new/kinds.ts';
import { type Entered, enterInLists } from './driver-new/lists.ts';
import { newPackage } from './driver-new/package.ts';
import { PLACEHOLDER, renamed } from './driver-new/rename.ts';

export interface DriverNewOptions extends GlobalOptions {
  readonly name: string;
  /** A package outside of the source tree, of this kind of protocol; without it a driver of the source tree. */
  readonly kind?: PackageKind;
}

/** The source tree of this program. */
const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** Source folders of the skeleton, and the targets of their copies. */
const PARTS: readonly (readonly [from: string, to: string])[] = [
  ['drivers/skeleton/sample', 'drivers/terminals/sample'],
  ['test/drivers/sample', 'test/drivers/sample'],
  ['test/conformance/subjects', 'test/conformance/subjects'],
  ['test/conformance', 'test/conformance'],
];

/**
 * `tillctl driver new NAME`: a driver that works, with its virtual terminal, its tests and its entries in the lists, or with `--kind` a package of
 * its own. It speaks a made-up protocol until a developer implements a real one.
 */
export async function driverNew({ name, kind, json }: DriverNewOptions, io: Io): Promise<ExitCode> {
  checkName(name);
  if (kind !== undefined) return newPackage(ROOT, name, kind, json === true, io);
  const copies = PARTS.flatMap(([from, to]) => copiesOf(from, to, name));
  if (copies.length === 0 || !existsSync(join(ROOT, 'test')))
    throw refused(
      'DRIVER_NEEDS_SOURCES',
      'without --kind a driver is written in the source tree of tilld: clone it and run this there; with --kind it is a package of its own',
    );
  const taken = copies.find(({ to }) => existsSync(join(ROOT, to)));
  if (taken) throw refused('DRIVER_EXISTS', `there is ${taken.to} already: take another name, or remove it`);
  for (const { to, text } of copies) write(to, text);
  const lists = enterInLists(ROOT, name);
  const isFormatted = formatted([...copies.map(({ to }) => to), ...lists.map(({ file }) => file)]);
  print({ name, files: copies.map(({ to }) => to), lists, isFormatted }, json === true, io);
  return EXIT.done;
}

/** A name must be a driver id and a valid word in code. */
function checkName(name: string): void {
  if (!/^[a-z][a-z0-9]{1,23}$/.test(name))
    throw refused(
      'USAGE',
      'a driver is named by small letters and digits, 2 to 24 of them: the name is a word of its code, too',
    );
  if (RESERVED.has(name))
    throw refused(
      'USAGE',
      `${name} is a word of the language that drivers are written in: take another name`,
    );
  if (name === PLACEHOLDER || terminalDrivers.some(({ id }) => id === name))
    throw refused('DRIVER_EXISTS', `there is a driver ${name} already: take another name`);
}

/** The reserved words of ECMAScript that such a name can be, in modules. */
const RESERVED = new Set(
  (
    'arguments await break case catch class const continue debugger default delete do else enum eval export extends false finally for function if ' +
    'implements import in instanceof interface let new null package private protected public return static super switch this throw true try typeof ' +
    'var void while with yield'
  ).split(' '),
);

interface Copy {
  readonly to: string;
  readonly text: string;
}

/** The files of one part whose path names the skeleton, with the new name in its place. */
function copiesOf(from: string, to: string, name: string): readonly Copy[] {
  const folder = join(ROOT, from);
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile());
  return files
    .filter((entry) => join(from, entry.name).includes(PLACEHOLDER))
    .map((entry) => ({
      to: inTree(join(to, entry.name), name),
      text: inTree(readFileSync(join(folder, entry.name), 'utf8'), name),
    }));
}

function inTree(text: string, name: string): string {
  return renamed(
    text.replaceAll(`drivers/skeleton/${PLACEHOLDER}`, `drivers/terminals/${PLACEHOLDER}`),
    name,
  );
}

function write(path: string, text: string): void {
  const target = join(ROOT, path);
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, text, { flag: 'wx' });
}

/** Another name makes other lines: the project's formatter formats them. False when it could not be run. */
function formatted(files: readonly string[]): boolean {
  const biome = join(ROOT, 'test/checks/node_modules/.bin/biome');
  const code = files.filter((file) => /\.(ts|jsonc)$/.test(file));
  return spawnSync(biome, ['check', '--write', ...code], { cwd: ROOT, stdio: 'ignore' }).status === 0;
}

interface Made {
  readonly name: string;
  readonly files: readonly string[];
  readonly lists: readonly Entered[];
  readonly isFormatted: boolean;
}

function print({ name, files, lists, isFormatted }: Made, json: boolean, io: Io): void {
  const byHand = lists.flatMap(({ file, byHand: line }) => (line === undefined ? [] : [`${file}: ${line}`]));
  if (json) {
    const data = {
      name,
      files,
      lists: lists.map(({ file }) => file),
      by_hand: byHand,
      formatted: isFormatted,
    };
    printDocument(io, { data });
    return;
  }
  io.out(files.map((file) => `  ${file}\n`).join(''));
  io.out(byHand.map((line) => `To be added by hand: ${line}\n`).join(''));
  io.out(`
It works as it is, and speaks a made-up protocol (drivers/terminals/${name}/README.md):
  npm test -- test/drivers/${name}
  npx tillctl simulate-terminal --protocol ${name} --listen tcp:0
${isFormatted ? '' : '  npm run format                          (installs the formatter first)\n'}drivers/README.md goes on from here.
`);
}

function refused(code: string, message: string): AppError {
  return new AppError(code, message);
}
