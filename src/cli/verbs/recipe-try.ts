import { Integration } from '../../api/contract/integration.ts';
import { dataOf, listOf } from '../../api/contract/primitives.ts';
import { RecipeTrial, type TryRecipe } from '../../api/contract/sync.ts';
import { AppError } from '../../base/errors.ts';
import type { DaemonClient } from '../client.ts';
import { connect } from '../connect.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { type Io, printDocument } from '../io.ts';
import { recipeNamed } from '../offline/recipe-source.ts';
import { integrationPath, moreOf, type Step, withNextStep } from '../provider.ts';
import { recipeTrialText } from '../show/recipe-trial.ts';
import { type CredentialOptions, keyOf, withoutKey } from './credentials.ts';

export interface RecipeTryOptions extends Omit<CredentialOptions, 'provider'> {
  readonly recipe: string;
  readonly provider?: string;
  readonly resource?: string;
  readonly limit: number;
  readonly timeZone?: string;
  readonly value?: readonly string[];
}

/** tilld waits at most a minute for the source. */
const TRIAL_WITHIN_MS = 70_000;
const WITHOUT_INTEGRATION = 'provider_a';

/** `tillctl recipe try FILE|NAME [--resource R] [--limit N]` */
export async function recipeTry(options: RecipeTryOptions, io: Io): Promise<ExitCode> {
  const { recipe, resource, limit, timeZone, value } = options;
  const tried = await recipeNamed(recipe, io.cwd);
  const body: TryRecipe = {
    recipe: tried,
    limit,
    ...(resource === undefined ? {} : { resource }),
    ...(timeZone === undefined ? {} : { timeZone }),
    ...(value === undefined ? {} : { values: valuesOf(value) }),
    ...(await credentialsOf(options, io)),
  };
  const client = connect(options, io, TRIAL_WITHIN_MS);
  const provider = options.provider ?? (await integrationOf(client));
  const call = { method: 'POST', path: integrationPath(provider, 'try-recipe'), body } as const;
  const work = () => client.call(call, dataOf(RecipeTrial));
  const answer = await withNextStep(provider, client, work, stepsOf(tried));
  if (options.json) printDocument(io, answer.body);
  else io.out(recipeTrialText(answer.value.data));
  return EXIT.done;
}

async function credentialsOf(options: RecipeTryOptions, io: Io): Promise<Pick<TryRecipe, 'credentials'>> {
  const asked = { ...options, provider: '' };
  return options.apiKeyFile === undefined ? withoutKey(asked) : { credentials: await keyOf(asked, io) };
}

/** Nothing of a trial is stored, so its credential is given with it. Of a built-in recipe only its name is known here. */
function stepsOf(recipe: NonNullable<TryRecipe['recipe']>): readonly Step[] {
  const isNamed = typeof recipe === 'string';
  const address = isNamed || recipe['baseUrl'] === undefined ? ['baseUrl'] : [];
  const names = ['appName', 'appEmail'];
  const isByName = !isNamed && recipe['mustIdentify'] === true;
  const repeated = (parts: readonly string[]) => `repeat it with \`--api-key-file FILE${moreOf(parts)}\``;
  return [
    [/: send one$|needs "baseUrl"/, repeated(isByName ? [...address, ...names] : address)],
    [/needs "appName"/, repeated([...address, ...names])],
  ];
}

/** The integration whose credential and settings are meant. */
async function integrationOf(client: DaemonClient): Promise<string> {
  const { value } = await client.call({ path: '/v2/integrations' }, listOf(Integration));
  const rest = value.data.filter(({ connector }) => connector === 'rest');
  return (rest.find(({ active }) => active) ?? rest[0])?.provider ?? WITHOUT_INTEGRATION;
}

function valuesOf(pairs: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=');
      if (at < 1) throw new AppError('USAGE', `--value ${pair} must be NAME=TEXT`);
      return [pair.slice(0, at), pair.slice(at + 1)];
    }),
  );
}
