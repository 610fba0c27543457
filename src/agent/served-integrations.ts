import { providerDrivers } from '../../drivers/index.ts';
import { configInvalid } from '../config/problem.ts';
import { parseProviderSettings, type ServedSlot } from '../config/provider-settings.ts';
import type { Config } from '../config/schema.ts';
import type { ConfiguredProvider } from '../driver-kit/provider.ts';
import { sinkRefusal } from '../service/sync-sink/service-sink.ts';

type Served = ServedSlot<ConfiguredProvider>;

/** Resources that name customers at the service, which knows customers by their id alone. */
const OF_CUSTOMERS = new Set(['customers', 'invoices', 'memberships', 'entitlements']);

/**
 * The integrations of a configuration, with all that can be checked before anything is opened: the daemon refuses the same files as
 * `tillctl config check`.
 * @throws CONFIG_INVALID
 */
export async function servedIntegrations(
  config: Pick<Config, 'integrations'>,
  file = 'the configuration',
): Promise<readonly Served[]> {
  const served = await parseProviderSettings(config, providerDrivers, file);
  const toService = served.filter((one) => one.config.sink === 'service' && one.driver.reads !== 'terminals');
  const problems = [...unsupported(toService), ...sharedCustomers(toService)];
  if (problems.length > 0) throw configInvalid(file, problems);
  return served;
}

/** Resources that the service does not take. */
function unsupported(toService: readonly Served[]) {
  return toService.flatMap(({ name, configured }) =>
    configured.resources.flatMap(({ name: resource }) => {
      const refusal = sinkRefusal(name, resource);
      return refusal === null
        ? []
        : [{ path: `integrations.${name}.sink`, message: `${refusal}; or set "mirror"` }];
    }),
  );
}

/** Two providers that both number customers from 1 would merge two customers into one. */
function sharedCustomers(toService: readonly Served[]) {
  const brings = toService.filter(({ configured }) =>
    configured.resources.some(({ name }) => OF_CUSTOMERS.has(name)),
  );
  return brings.flatMap(({ name, config }, index) => {
    const other = brings.slice(0, index).find((one) => one.config.customer_prefix === config.customer_prefix);
    if (!other) return [];
    const message = `is the same as that of ${other.name}: their customers would be taken for one another`;
    return [{ path: `integrations.${name}.customer_prefix`, message }];
  });
}
