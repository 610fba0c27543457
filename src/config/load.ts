import { closeSync, constants, fstatSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { AppError, messageOf } from '../base/errors.ts';
import { crossProblems } from './cross-checks.ts';
import { decidingFile, isObject, merged } from './merge.ts';
import { configInvalid, type LocatedProblem, type Problem } from './problem.ts';
import { type Config, ConfigFile } from './schema.ts';
import { checkShape } from './shape-check.ts';
import { parseText } from './text.ts';

const LARGEST_FILE_BYTES = 262_144;
const MOST_FILES = 64;

/**
 * Reads a configuration: JSON with comments and trailing commas, merged over the files of `conf.d` beside it, every default filled in.
 * @throws CONFIG_NOT_FOUND when there is no such file.
 * @throws CONFIG_INVALID with every problem at once, `context.problems` as {@link LocatedProblem}s.
 */
export function loadConfig(file: string): Config {
  const beside = configFiles(file).slice(0, -1);
  return parseConfig(
    readText(file),
    file,
    beside.map((name) => ({ name, text: readText(name) })),
  );
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
export function parseConfig(own: string, file: string, beside: readonly SourceText[] = []): Config {
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
  const unreadable = parsed.flatMap(({ problems }) => problems);
  if (unreadable.length > 0) throw configInvalid(file, unreadable);
  const values = parsed.map(({ value }) => value);
  const locate = (problem: Problem) =>
    parsed[decidingFile(values, problem.path)]?.locate(problem) ?? { path: '', message: problem.message };
  const shape = checkShape(ConfigFile, merged(values));
  const whole = shape.ok ? shape.value : shape.pruned;
  const problems = [...(shape.ok ? [] : shape.problems), ...(whole ? crossProblems(whole) : [])];
  if (!shape.ok || problems.length > 0) throw configInvalid(file, problems.map(locate).sort(byPlace));
  return shape.value;
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

function readText(file: string): string {
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
