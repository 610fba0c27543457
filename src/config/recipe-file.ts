import { dirname, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { AppError, messageOf } from '../base/errors.ts';
import { readText } from './load.ts';
import { isObject } from './merge.ts';
import type { LocatedProblem, Problem } from './problem.ts';
import { parseText } from './text.ts';

/** A recipe as its file has it. */
export interface RecipeFile {
  readonly path: string;
  readonly value: unknown;
  /** Syntax errors and repeated keys. */
  readonly problems: readonly LocatedProblem[];
  /** The place of a path of the recipe in its file. */
  locate(problem: Problem): LocatedProblem;
}

/** Whether a name is that of a file, and not of a built-in recipe: `./shop.json`, `recipes/shop.jsonc`. */
export function isRecipeFile(name: string): boolean {
  return name.includes('/') || /\.jsonc?$/.test(name);
}

/** Reads a recipe: JSON with comments and trailing commas. Never throws. */
export function readRecipeFile(path: string): RecipeFile {
  const failed = (message: string): RecipeFile => {
    const problem = { file: path, path: '', message };
    return { path, value: undefined, problems: [problem], locate: () => problem };
  };
  try {
    const { value, problems, locate } = parseText(readText(path).replace(/^\uFEFF/, ''));
    if (problems.length === 0 && !isObject(value)) return failed('must be an object: { … }');
    return {
      path,
      value,
      problems: problems.map((problem) => ({ ...problem, file: path })),
      locate: (problem) => ({ ...locate(problem), file: path }),
    };
  } catch (error) {
    return failed(readWords(error));
  }
}

function readWords(error: unknown): string {
  if (!(error instanceof AppError)) return messageOf(error);
  if (error.code === 'CONFIG_NOT_FOUND') return 'there is no such file';
  const [problem] = Array.isArray(error.context['problems']) ? error.context['problems'] : [];
  return isObject(problem) ? String(problem['message']) : error.message;
}

/** Whether a recipe file is no longer what was read of it; comments and spaces do not count. */
export function hasChanged({ path, value }: Pick<RecipeFile, 'path' | 'value'>): boolean {
  const now = readRecipeFile(path);
  return now.problems.length > 0 || !isDeepStrictEqual(now.value, value);
}

/**
 * The recipe file that the settings of an integration name; null: they name none.
 * @param configFile its folder is where a relative path begins
 */
export function recipeFileOf(
  settings: Readonly<Record<string, unknown>>,
  configFile: string,
): RecipeFile | null {
  const { recipe } = settings;
  if (typeof recipe !== 'string' || !isRecipeFile(recipe)) return null;
  return readRecipeFile(resolve(dirname(configFile), recipe));
}
