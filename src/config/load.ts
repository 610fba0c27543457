import { closeSync, constants, fstatSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { AppError, messageOf } from '../base/errors.ts';
import { crossProblems } from './cross-checks.ts';
import { withSettings } from './fleet-settings.ts';
import { decidingFile, isObject, merged } from './merge.ts';
import {
  configInvalid,
  type LocatedProblem,
  type Problem,
  pathText,
  type RefusedIntegration,
} from './problem.ts';
import { type Config, ConfigFile } from './schema.ts';
import { checkShape } from './shape-check.ts';
import { parseText } from './text.ts';

const LARGEST_FILE_BYTES = 262_144;
const MOST_FILES = 64;

/** Settings of a fleet, which stand over the shop's own files. */
type Settings = Readonly<Record<string, unknown>>;

/**
 * Reads a configuration: JSON with comments and trailing commas, merged over the files of `conf.d` beside it, every default filled in.
 * @throws CONFIG_NOT_FOUND when there is no such file.
 * @throws CONFIG_INVALID with every problem at once, `context.problems` as {@link LocatedProblem}s.
 */
export function loadConfig(file: string, settings?: Settings): Config {
  return parseConfig(readText(file), file, textsBeside(file), settings);
}

/** The texts of `conf.d`. @throws CONFIG_INVALID */
function textsBeside(file: string): readonly SourceText[] {
  return configFiles(file)
    .slice(0, -1)
    .map((name) => ({ name, text: readText(name) }));
}

/**
 * The files that make a configuration, in the order in which each is merged over the one before: `conf.d/*.jsonc` beside the file by their names,
 * then the file itself.
 * @throws CONFIG_INVALID
 */
export function configFiles(file: string): readonly string[] {
  const folder = join(dirname(file), 'conf.d');
  const names = namesIn(folder).filter((name) => name.endsWith('.jsonc') && !name.startsWith('.'));
  if (names.length > MOST_FILES)
    throw configInvalid(folder, [{ path: '', message: `has more than ${MOST_FILES} files` }]);
  return [...names.toSorted().map((name) => join(folder, name)), file];
}

interface SourceText {
  readonly name: string;
  readonly text: string;
}

/**
 * The same for texts in memory; `file` is only a name.
 * @param beside the texts of `conf.d`
 * @throws CONFIG_INVALID
 */
export function parseConfig(
  own: string,
  file: string,
  beside: readonly SourceText[] = [],
  settings: Settings = {},
): Config {
  const { value, problems: repeated, locate } = parsedTexts(own, file, beside, settings);
  if (repeated.length > 0) throw configInvalid(file, repeated);
  const { config, problems } = examined(value);
  if (config) return config;
  throw configInvalid(file, problems.map(locate).sort(byPlace));
}

interface ParsedTexts {
  readonly value: unknown;
  /** Repeated keys, and what settings of a fleet do not fit. */
  readonly problems: readonly LocatedProblem[];
  locate(problem: Problem): LocatedProblem;
}

/** @throws CONFIG_INVALID where a text is no JSON */
function parsedTexts(
  own: string,
  file: string,
  beside: readonly SourceText[],
  settings: Settings = {},
): ParsedTexts {
  const parsed = [...beside, { name: file, text: own }].map(({ name, text }) => {
    const source = name === file ? {} : { file: name };
    const { value, problems, locate } = parseText(text.replace(/^\uFEFF/, ''));
    const found = name === file || isObject(value) || problems.length > 0 ? problems : [NO_OBJECT];
    return {
      value,
      problems: found.map((problem) => ({ ...source, ...problem })),
      locate: (problem: Problem): LocatedProblem => ({ ...source, ...locate(problem) }),
    };
  });
  const problems = parsed.flatMap((one) => one.problems);
  if (problems.some(({ path }) => path === '')) throw configInvalid(file, problems);
  const values = parsed.map(({ value }) => value);
  const { value, problems: unfit } = withSettings(merged(values), settings);
  return {
    value,
    problems: [...problems, ...unfit.map(({ path, message }) => ({ path: pathText(path), message }))],
    locate: (problem) =>
      parsed[decidingFile(values, problem.path)]?.locate(problem) ?? { path: '', message: problem.message },
  };
}

/** `config` is null where there are problems. */
function examined(value: unknown): { readonly config: Config | null; readonly problems: readonly Problem[] } {
  const shape = checkShape(ConfigFile, value);
  const whole = shape.ok ? shape.value : shape.pruned;
  const problems = [...(shape.ok ? [] : shape.problems), ...(whole ? crossProblems(whole) : [])];
  return { config: shape.ok && problems.length === 0 ? shape.value : null, problems };
}

/** A configuration without the integrations that are wrong in it. */
export interface SellingConfig {
  readonly config: Config;
  readonly refused: readonly RefusedIntegration[];
}

/**
 * Reads a configuration as {@link loadConfig} does, but leaves out an integration that is wrong: a mistake there never stops a shop from selling.
 * @throws CONFIG_NOT_FOUND
 * @throws CONFIG_INVALID for every other problem
 */
export function loadSellingConfig(file: string, settings: Settings = {}): SellingConfig {
  const {
    value,
    problems: repeated,
    locate,
  } = parsedTexts(readText(file), file, textsBeside(file), settings);
  const others = repeated.filter((problem) => integrationOf(problem.path.split(/[.[]/)) === null);
  if (others.length > 0) throw configInvalid(file, repeated);
  const refused = new Map<string, LocatedProblem[]>();
  for (const problem of repeated) refuse(refused, problem.path.split(/[.[]/), problem);
  let rest = without(value, [...refused.keys()]);
  for (;;) {
    const { config, problems } = examined(rest);
    if (config) return { config, refused: [...refused].map((one) => refusedOf(value, ...one)) };
    const known = refused.size;
    for (const problem of problems) refuse(refused, problem.path, locate(problem));
    if (refused.size === known) throw configInvalid(file, problems.map(locate).sort(byPlace));
    rest = without(value, [...refused.keys()]);
  }
}

function refusedOf(value: unknown, name: string, problems: readonly LocatedProblem[]): RefusedIntegration {
  const all = isObject(value) ? value[SECTION] : undefined;
  return { name, section: isObject(all) ? all[name] : all, problems };
}

function refuse(
  refused: Map<string, LocatedProblem[]>,
  path: readonly (string | number)[],
  problem: LocatedProblem,
): void {
  const name = integrationOf(path);
  if (name !== null) refused.set(name, [...(refused.get(name) ?? []), problem]);
}

const SECTION = 'integrations';

/** The integration whose setting a path is; null: it is none. */
function integrationOf([section, name]: readonly (string | number)[]): string | null {
  return section === SECTION ? String(name ?? SECTION) : null;
}

function without(value: unknown, names: readonly string[]): unknown {
  if (names.length === 0 || !isObject(value)) return value;
  const { [SECTION]: section, sandbox, ...rest } = value;
  const isKept = (name: unknown) => !names.includes(String(name)) && !names.includes(SECTION);
  const kept = isObject(section) ? Object.entries(section).filter(([name]) => isKept(name)) : [];
  const activated = isObject(sandbox) ? sandbox['activated'] : undefined;
  return {
    ...rest,
    [SECTION]: Object.fromEntries(kept),
    ...(isObject(sandbox) && Array.isArray(activated)
      ? { sandbox: { ...sandbox, activated: activated.filter(isKept) } }
      : { sandbox }),
  };
}

/** Finds paths in the files of a configuration; where these cannot be read any more, a problem has its path alone. */
export function configLocator(file: string): (problem: Problem) => LocatedProblem {
  try {
    return parsedTexts(readText(file), file, textsBeside(file)).locate;
  } catch {
    return ({ path, message }) => ({ path: pathText(path), message });
  }
}

const NO_OBJECT: LocatedProblem = { path: '', message: 'must be an object: { … }' };

function byPlace(a: LocatedProblem, b: LocatedProblem): number {
  if (a.file !== b.file) return (a.file ?? '') < (b.file ?? '') ? -1 : 1;
  return (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0);
}

/** A folder that is not there has none. */
function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (isMissing(error)) return [];
    throw configInvalid(folder, [{ path: '', message: `cannot be read: ${messageOf(error)}` }]);
  }
}

/** @throws CONFIG_NOT_FOUND, CONFIG_INVALID */
export function readText(file: string): string {
  const bytes = readBytes(file);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw configInvalid(file, [{ path: '', message: 'is not UTF-8 text' }]);
  }
}

function readBytes(file: string): Uint8Array {
  const handle = open(file);
  try {
    const facts = fstatSync(handle);
    if (!facts.isFile()) throw configInvalid(file, [{ path: '', message: 'is not a file' }]);
    if (facts.size > LARGEST_FILE_BYTES) {
      throw configInvalid(file, [{ path: '', message: `is larger than ${LARGEST_FILE_BYTES} bytes` }]);
    }
    return readFileSync(handle);
  } finally {
    closeSync(handle);
  }
}

function open(file: string): number {
  try {
    return openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    if (isMissing(error)) {
      throw new AppError('CONFIG_NOT_FOUND', `there is no configuration file ${file}`, {
        context: { file },
        cause: error,
      });
    }
    throw configInvalid(file, [{ path: '', message: `cannot be read: ${messageOf(error)}` }]);
  }
}

function isMissing(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'ENOENT' || code === 'ENOTDIR';
}
