import { resolve } from 'node:path';
import { recipeMistakes } from '../../agent/recipe-trials.ts';
import { configInvalid } from '../../config/problem.ts';
import { isRecipeFile, readRecipeFile } from '../../config/recipe-file.ts';

/** A recipe from a file, checked. @throws CONFIG_INVALID with every mistake, each with line and column */
export async function recipeFrom(
  name: string,
  cwd: string,
): Promise<{ readonly path: string; readonly value: Readonly<Record<string, unknown>> }> {
  const file = resolve(cwd, name);
  const { path, value, problems, locate } = readRecipeFile(file);
  const found = problems.length > 0 ? problems : (await recipeMistakes(value)).map(locate);
  if (found.length > 0)
    throw configInvalid(
      path,
      found.map(({ file: _, ...problem }) => problem),
    );
  return { path, value: Object(value) };
}

/** A recipe as the interface takes it: the name of a built-in one, or what a file has. @throws CONFIG_INVALID */
export async function recipeNamed(name: string, cwd: string): Promise<string | Record<string, unknown>> {
  return isRecipeFile(name) ? { ...(await recipeFrom(name, cwd)).value } : name;
}
