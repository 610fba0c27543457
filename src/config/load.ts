import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { AppError, messageOf } from '../base/errors.ts';
import { crossProblems } from './cross-checks.ts';
import { configInvalid, type LocatedProblem } from './problem.ts';
import { type Config, ConfigFile } from './schema.ts';
import { checkShape } from './shape-check.ts';
import { parseText } from './text.ts';

const LARGEST_FILE_BYTES = 262_144;

/**
 * Reads a configuration file: JSON with comments and trailing commas, every default filled in.
 * @throws CONFIG_NOT_FOUND when there is no such file.
 * @throws CONFIG_INVALID with every problem at once, `context.problems` as {@link LocatedProblem}s.
 */
export function loadConfig(file: string): Config {
  return parseConfig(readText(file), file);
}

/**
 * The same for a text in memory; `file` is only its name.
 * @throws CONFIG_INVALID
 */
export function parseConfig(text: string, file: string): Config {
  const parsed = parseText(text.replace(/^\uFEFF/, ''));
  if (parsed.problems.length > 0) throw configInvalid(file, parsed.problems);
  const shape = checkShape(ConfigFile, parsed.value);
  const whole = shape.ok ? shape.value : shape.pruned;
  const problems = [...(shape.ok ? [] : shape.problems), ...(whole ? crossProblems(whole) : [])];
  if (!shape.ok || problems.length > 0) throw configInvalid(file, problems.map(parsed.locate).sort(byPlace));
  return shape.value;
}

function byPlace(a: LocatedProblem, b: LocatedProblem): number {
  return (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0);
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
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT' || code === 'ENOTDIR') {
      throw new AppError('CONFIG_NOT_FOUND', `there is no configuration file ${file}`, {
        context: { file },
        cause: error,
      });
    }
    throw configInvalid(file, [{ path: '', message: `cannot be read: ${messageOf(error)}` }]);
  }
}
