import { closest } from 'fastest-levenshtein';
import { messageOf } from '../base/errors.ts';
import { configInvalid, type Problem, pathText } from './problem.ts';
import type { Config } from './schema.ts';

/** The part of a provider driver's manifest that a configuration is checked against. */
export interface ProviderFacts<Configured> {
  readonly id: string;
  readonly reads: string;
  /** @throws PROVIDER_SETTINGS_INVALID */
  configure(settings: unknown): Promise<Configured>;
}

type ProviderName = keyof Config['integrations'];
type SlotConfig = NonNullable<Config['integrations'][ProviderName]>;

/** An integration with a connector, its settings checked. */
export interface ServedSlot<Configured> {
  readonly name: ProviderName;
  readonly config: SlotConfig;
  readonly driver: ProviderFacts<Configured>;
  readonly configured: Configured;
}

const SLOT_NAMES = ['provider_a', 'provider_b', 'terminal', 'provider_d'] as const;

/**
 * Checks every integration against its connector; nothing is opened.
 * @throws CONFIG_INVALID with every problem at once.
 */
export async function parseProviderSettings<Configured>(
  { integrations }: Pick<Config, 'integrations'>,
  drivers: readonly ProviderFacts<Configured>[],
  file = 'the configuration',
): Promise<readonly ServedSlot<Configured>[]> {
  const served: ServedSlot<Configured>[] = [];
  const problems: Problem[] = [];
  for (const name of SLOT_NAMES) {
    const config = integrations[name];
    if (config === undefined) continue;
    const path = ['integrations', name];
    const driver = drivers.find(({ id }) => id === config.connector);
    if (!driver) {
      problems.push({ path: [...path, 'connector'], message: unknownConnector(config.connector, drivers) });
      continue;
    }
    problems.push(
      ...folderProblems(config, driver).map((message) => ({ path: [...path, 'folder'], message })),
    );
    const configured = await driver.configure(config.settings).catch((error: unknown) => {
      problems.push({ path: [...path, 'settings'], message: messageOf(error) });
    });
    if (configured) served.push({ name, config, driver, configured });
  }
  if (problems.length === 0) return served;
  const located = problems.map(({ path, message }) => ({ path: pathText(path), message }));
  throw configInvalid(file, located);
}

function unknownConnector(id: string, drivers: readonly { readonly id: string }[]): string {
  const known = drivers.map((driver) => driver.id);
  const nearest = known.length === 0 ? '' : `, did you mean "${closest(id, known)}"?`;
  return `there is no connector "${id}"${nearest}`;
}

function folderProblems(
  { folder }: SlotConfig,
  { id, reads }: { readonly id: string; readonly reads: string },
) {
  if (reads === 'files' && folder === undefined)
    return [`is missing: connector "${id}" reads the files of a folder`];
  if (reads !== 'files' && folder !== undefined) return [`is of no use: connector "${id}" reads no files`];
  return [];
}
