import { closest } from 'fastest-levenshtein';
import { messageOf } from '../base/errors.ts';
import { mistakesOf } from '../driver-kit/define-provider.ts';
import { configLocator } from './load.ts';
import type { LocatedProblem, Problem, RefusedIntegration } from './problem.ts';
import { hasChanged, recipeFileOf } from './recipe-file.ts';
import type { Config } from './schema.ts';

/** The part of a provider driver's manifest that a configuration is checked against. */
export interface ProviderFacts<Configured> {
  readonly id: string;
  readonly reads: string;
  /** @throws PROVIDER_SETTINGS_INVALID */
  configure(settings: unknown): Promise<Configured>;
}

/** What a connector reads; a schedule may name these. */
interface Resources {
  readonly resources: readonly { readonly name: string }[];
}

type ProviderName = keyof Config['integrations'];
type IntegrationConfig = NonNullable<Config['integrations'][ProviderName]>;

/** An integration with a connector, its settings checked. */
export interface ServedIntegration<Configured> {
  readonly name: ProviderName;
  readonly config: IntegrationConfig;
  readonly driver: ProviderFacts<Configured>;
  readonly configured: Configured;
  /** The file of its recipe, where that has changed since it was read here; null: it has not, or there is none. */
  readonly changedRecipe: () => string | null;
}

const PROVIDER_NAMES = ['provider_a', 'provider_b', 'terminal', 'provider_d'] as const;

/** The integrations that can run, and those that cannot. */
export interface CheckedIntegrations<Configured> {
  readonly served: readonly ServedIntegration<Configured>[];
  readonly refused: readonly RefusedIntegration[];
}

/** Checks every integration against its connector; nothing is opened. @param file the configuration, where problems are located */
export async function checkProviderSettings<Configured extends Resources>(
  { integrations }: Pick<Config, 'integrations'>,
  drivers: readonly ProviderFacts<Configured>[],
  file: string,
): Promise<CheckedIntegrations<Configured>> {
  const locate = configLocator(file);
  const served: ServedIntegration<Configured>[] = [];
  const refused: RefusedIntegration[] = [];
  for (const name of PROVIDER_NAMES) {
    const config = integrations[name];
    if (config === undefined) continue;
    const checked = await checkedIntegration({ name, config, drivers, file, locate });
    if ('problems' in checked) refused.push({ name, section: config, problems: checked.problems });
    else served.push(checked);
  }
  return { served, refused };
}

interface Unchecked<Configured> {
  readonly name: ProviderName;
  readonly config: IntegrationConfig;
  readonly drivers: readonly ProviderFacts<Configured>[];
  readonly file: string;
  readonly locate: (problem: Problem) => LocatedProblem;
}

async function checkedIntegration<Configured extends Resources>({
  name,
  config,
  drivers,
  file,
  locate,
}: Unchecked<Configured>): Promise<
  ServedIntegration<Configured> | { readonly problems: readonly LocatedProblem[] }
> {
  const at = (keys: Problem['path'], message: string) =>
    locate({ path: ['integrations', name, ...keys], message });
  const driver = drivers.find(({ id }) => id === config.connector);
  if (!driver) return { problems: [at(['connector'], unknownConnector(config.connector, drivers))] };
  const problems = folderProblems(config, driver).map((message) => at(['folder'], message));
  const recipe = recipeFileOf(config.settings, file);
  if (recipe && recipe.problems.length > 0) return { problems: [...problems, ...recipe.problems] };
  const settings = recipe ? { ...config.settings, recipe: recipe.value } : config.settings;
  const located = ({ path, message }: Problem) =>
    recipe && path[0] === 'recipe'
      ? recipe.locate({ path: path.slice(1), message })
      : at(['settings', ...path], message);
  const configured = await driver.configure(settings).catch((error: unknown) => {
    const mistakes = mistakesOf(error);
    problems.push(...(mistakes.length > 0 ? mistakes.map(located) : [at(['settings'], messageOf(error))]));
  });
  if (configured)
    problems.push(...scheduleProblems(config, configured).map(({ path, message }) => at(path, message)));
  if (!configured || problems.length > 0) return { problems };
  const changedRecipe = () => (recipe && hasChanged(recipe) ? recipe.path : null);
  return { name, config, driver, configured, changedRecipe };
}

function scheduleProblems({ schedules }: IntegrationConfig, { resources }: Resources): readonly Problem[] {
  const known = resources.map(({ name }) => name);
  return Object.keys(schedules)
    .filter((name) => !known.includes(name))
    .map((name) => ({
      path: ['schedules', name],
      message: `is no resource of this connector, did you mean "${closest(name, known)}"?`,
    }));
}

function unknownConnector(id: string, drivers: readonly { readonly id: string }[]): string {
  const known = drivers.map((driver) => driver.id);
  const nearest = known.length === 0 ? '' : `, did you mean "${closest(id, known)}"?`;
  return `there is no connector "${id}"${nearest}`;
}

function folderProblems(
  { folder }: IntegrationConfig,
  { id, reads }: { readonly id: string; readonly reads: string },
) {
  if (reads === 'files' && folder === undefined)
    return [`is missing: connector "${id}" reads the files of a folder`];
  if (reads !== 'files' && folder !== undefined) return [`is of no use: connector "${id}" reads no files`];
  return [];
}
