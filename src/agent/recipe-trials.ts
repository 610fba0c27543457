import { providerDrivers } from '../../drivers/index.ts';
import { AppError } from '../base/errors.ts';
import { invariant } from '../base/invariant.ts';
import type { ServedIntegration } from '../config/provider-settings.ts';
import { mistakesOf, type SettingsMistake } from '../driver-kit/define-provider.ts';
import type { ConfiguredProvider } from '../driver-kit/provider.ts';
import type { OAuthClient, ProviderCredentials } from '../integration/connector.ts';
import type { ProviderName } from '../integration/integration.ts';
import { type RecipeTrial, type TrialRequest, triedRecipe } from '../integration/runner/recipe-trial.ts';
import { mirrorRoute, type Route } from '../integration/running-integration.ts';
import { hasHorizon } from '../integration/window/run-plan.ts';
import { createSourceHttp } from '../net/source-http.ts';
import { createServiceSink, sinkRefusal } from '../service/sync-sink/service-sink.ts';
import { type IntegrationWorld, readCredentials, sourceWorld } from './configured-integrations.ts';
import { fingerprintOf } from './oauth-clients.ts';

const NO_CREDENTIALS: ProviderCredentials = { apiKey: '', baseUrl: '', appName: '', appEmail: '' };

/** The connector that recipes are for. */
function rest() {
  const driver = providerDrivers.find(({ id }) => id === 'rest');
  invariant(driver, 'the driver of recipes is there');
  return driver;
}

/** The mistakes in a recipe, each with its place in it, and its examples that it does not fulfil; empty: it is right. Nothing is requested. */
export async function recipeMistakes(recipe: unknown): Promise<readonly SettingsMistake[]> {
  const mistakes = await rest()
    .configure({ recipe })
    .then(
      (configured) => configured.failedExamples(),
      (error: unknown) => {
        const found = mistakesOf(error);
        if (found.length === 0) throw error;
        return found;
      },
    );
  return mistakes.map(({ path, message }) => ({ path: path.slice(1), message }));
}

/** Tries recipes at their sources: one page, of which nothing is stored. */
export class RecipeTrials {
  readonly #world: IntegrationWorld;
  readonly #served: readonly ServedIntegration<ConfiguredProvider>[];

  constructor(world: IntegrationWorld, served: readonly ServedIntegration<ConfiguredProvider>[]) {
    this.#world = world;
    this.#served = served;
  }

  /**
   * @throws SETTINGS_INVALID with `context.issues` for a recipe that is wrong; RESOURCE_UNKNOWN; CREDENTIALS_MISSING, also where the stored
   * credential belongs to another address; SOURCE_*
   */
  async run(name: ProviderName, asked: TrialRequest, signal: AbortSignal): Promise<RecipeTrial> {
    const { clock, log, link, settings } = this.#world;
    const integration = this.#served.find((one) => one.name === name);
    const configured = await configuredWith(asked, integration);
    const manifest = configured.resources.find((one) => one.name === (asked.resource ?? one.name));
    if (!manifest) throw unknownResource(configured);
    const credentials = this.#credentials(name, asked, configured);
    const access = configured.access(credentials);
    invariant(access, 'a recipe makes requests');
    const allowPlainHttp = integration?.config.allow_plain_http ?? false;
    const oauthIntegration = {
      name,
      allowPlainHttp,
      read: readCredentials,
      accessOf: (one: ProviderCredentials) => configured.access(one),
    };
    const line = createSourceHttp({
      access,
      log,
      allowPlainHttp,
      ...this.#world.oauth.tokensOf(oauthIntegration, access),
    });
    const context = { ...sourceWorld(undefined), credentials, http: line.request, clock, log };
    const isToService =
      link !== null && integration?.config.sink !== 'mirror' && sinkRefusal(name, manifest.name) === null;
    try {
      const parts = {
        connector: configured.connect(context),
        resource: manifest.name,
        limit: asked.limit,
        route: isToService ? this.#serviceRoute(name, manifest.name, integration) : mirrorRoute(),
        isToService,
        readsChanges: manifest.cursorField !== null,
        lookbackDays: hasHorizon(manifest) ? settings.get(name).lookbackDays : null,
        now: clock.now(),
      };
      return await triedRecipe(parts, signal);
    } finally {
      await line.close();
    }
  }

  /** A stored credential never goes to another address than that of its integration. */
  #credentials(name: ProviderName, asked: TrialRequest, configured: ConfiguredProvider): ProviderCredentials {
    if (asked.credentials) return asked.credentials;
    if (configured.needs.length === 0) return NO_CREDENTIALS;
    const stored = this.#world.settings.credentialsOf(name, readCredentials);
    if (stored === null) throw missing(name, 'There is no credential for it yet');
    const integration = this.#served.find((one) => one.name === name);
    const ownAccess = integration?.configured.access(stored);
    const own = ownAccess ? ownAccess.baseUrl : stored.baseUrl;
    const access = configured.access(stored);
    const wanted = access?.baseUrl;
    if (!isSameClient(ownAccess?.oauth, access?.oauth))
      throw missing(name, `The recipe's "auth" is not that of ${name}: its tokens would be used up`);
    if (own && wanted && new URL(own).origin === new URL(wanted).origin) return stored;
    throw missing(name, `The credential of ${name} is for another address than the recipe's`);
  }

  #serviceRoute(
    name: ProviderName,
    resource: string,
    integration: ServedIntegration<ConfiguredProvider> | undefined,
  ): Route {
    const { link, settings, ids, clock } = this.#world;
    invariant(link, 'records go to the service only where there is one');
    return createServiceSink({
      line: link.sync,
      integration: () => settings.get(name),
      resource,
      mappings: () => settings.mappingsOf(name),
      ids,
      now: () => link.serviceTime.now() ?? clock.now(),
      customerPrefix: integration?.config.customer_prefix ?? '',
    });
  }
}

/** Without a recipe what runs at the integration; settings that are not given are those of the integration, as far as the recipe knows them. */
async function configuredWith(
  { recipe, timeZone, values }: TrialRequest,
  integration: ServedIntegration<ConfiguredProvider> | undefined,
): Promise<ConfiguredProvider> {
  const runs = integration?.driver.id === 'rest' ? integration : undefined;
  if (recipe === undefined) return runs?.configured ?? noRecipe();
  const own = runs?.config.settings ?? {};
  const zone = timeZone ?? own['timeZone'];
  const shared = values ?? knownValues(recipe, own);
  try {
    return await rest().configure({
      recipe,
      ...(zone === undefined ? {} : { timeZone: zone }),
      ...(shared === undefined ? {} : { values: shared }),
    });
  } catch (error) {
    const [first, ...more] = mistakesOf(error);
    if (!first) throw error;
    throw new AppError('SETTINGS_INVALID', first.message, {
      context: { issues: [first, ...more] },
      cause: error,
    });
  }
}

/** @throws SETTINGS_INVALID */
function noRecipe(): never {
  const message = 'no recipe runs at this integration: send one';
  throw new AppError('SETTINGS_INVALID', message, { context: { issues: [{ path: ['recipe'], message }] } });
}

function knownValues(recipe: unknown, own: Readonly<Record<string, unknown>>): object | undefined {
  const { values } = own;
  if (!isObject(values)) return undefined;
  if (!isObject(recipe)) return recipe === own['recipe'] ? values : undefined;
  const known = isObject(recipe['values']) ? Object.keys(recipe['values']) : [];
  return Object.fromEntries(Object.entries(values).filter(([name]) => known.includes(name)));
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A refresh token may be good for one refresh, and a secret goes to its own server only. */
function isSameClient(own: OAuthClient | undefined, wanted: OAuthClient | undefined): boolean {
  if (!own || !wanted) return own === wanted;
  return fingerprintOf(own) === fingerprintOf(wanted);
}

function unknownResource({ resources }: ConfiguredProvider): AppError {
  const known = resources.map(({ name }) => name).join(', ');
  return new AppError('RESOURCE_UNKNOWN', `The recipe has no resource of this name: ${known}`);
}

function missing(provider: ProviderName, why: string): AppError {
  return new AppError('CREDENTIALS_MISSING', `${why}: send one`, { context: { details: { provider } } });
}
