import { z } from 'zod';
import { providerDrivers } from '../../drivers/index.ts';
import { configLocator } from '../config/load.ts';
import { configInvalid, type RefusedIntegration } from '../config/problem.ts';
import {
  type CheckedIntegrations,
  checkProviderSettings,
  type ServedIntegration,
} from '../config/provider-settings.ts';
import type { Config } from '../config/schema.ts';
import type { ConfiguredProvider } from '../driver-kit/provider.ts';
import { sinkRefusal } from '../service/sync-sink/service-sink.ts';

type Served = ServedIntegration<ConfiguredProvider>;
type Integrations = Pick<Config, 'integrations'>;

/** What of a refused integration must be known; another sink or connector brings no customers. */
const Unchecked = z.object({
  connector: z.string().refine((id) => id !== 'terminal'),
  sink: z.literal('service').default('service'),
  customer_prefix: z.string().catch('').default(''),
});

/** Resources that name customers at the service, which knows customers by their id alone. */
const OF_CUSTOMERS = new Set(['customers', 'invoices', 'memberships', 'entitlements']);

/**
 * The integrations of a configuration, with all that can be checked before anything is opened: `tillctl config check` refuses what the daemon
 * does not run.
 * @throws CONFIG_INVALID
 */
export async function servedIntegrations(
  config: Integrations,
  file = 'the configuration',
): Promise<readonly Served[]> {
  const { served, refused } = await checkedIntegrations(config, file);
  if (refused.length === 0) return served;
  throw configInvalid(
    file,
    refused.flatMap(({ problems }) => problems),
  );
}

/** The same for the daemon, which runs the others and sells. @param known integrations that were refused before, which `config` lacks */
export async function checkedIntegrations(
  config: Integrations,
  file: string,
  known: readonly RefusedIntegration[] = [],
): Promise<CheckedIntegrations<ConfiguredProvider>> {
  const { served, refused: unfit } = await checkProviderSettings(config, providerDrivers, file);
  const refused = [...known, ...unfit];
  const locate = configLocator(file);
  const found: RefusedIntegration[] = [];
  for (const one of served) {
    const at = (key: string, message: string) => locate({ path: ['integrations', one.name, key], message });
    const shared = sharedPrefix(one, served, refused);
    const problems = [
      ...unsupported(one).map((message) => at('sink', message)),
      ...(shared === null ? [] : [at('customer_prefix', shared)]),
    ];
    if (problems.length > 0) found.push({ name: one.name, section: one.config, problems });
  }
  return {
    served: served.filter(({ name }) => !found.some((one) => one.name === name)),
    refused: [...refused, ...found],
  };
}

function isToService({ config, driver }: Served): boolean {
  return config.sink === 'service' && driver.reads !== 'terminals';
}

/** Resources that the service does not take. */
function unsupported(integration: Served): readonly string[] {
  if (!isToService(integration)) return [];
  return integration.configured.resources.flatMap(({ name: resource }) => {
    const refusal = sinkRefusal(integration.name, resource);
    return refusal === null ? [] : [`${refusal}; or set "mirror"`];
  });
}

function bringsCustomers(integration: Served): boolean {
  return (
    isToService(integration) && integration.configured.resources.some(({ name }) => OF_CUSTOMERS.has(name))
  );
}

/**
 * Two providers that both number customers from 1 would merge two customers into one: neither runs, for either may be the one whose customers
 * are at the service already. A refused integration may bring customers, too.
 */
function sharedPrefix(
  integration: Served,
  served: readonly Served[],
  refused: readonly RefusedIntegration[],
): string | null {
  if (!bringsCustomers(integration)) return null;
  const { customer_prefix: prefix } = integration.config;
  const isSame = (one: Served) => one.name !== integration.name && one.config.customer_prefix === prefix;
  const other =
    served.find((one) => isSame(one) && bringsCustomers(one)) ??
    refused.find(({ section }) => prefixThatMayBring(section) === prefix);
  return other === undefined
    ? null
    : `is the same as that of ${other.name}: their customers would be taken for one another`;
}

/** Null: it brings no customers to the service, whatever is wrong in it. */
function prefixThatMayBring(section: unknown): string | null {
  const found = Unchecked.safeParse(section);
  return found.success ? found.data.customer_prefix : null;
}
