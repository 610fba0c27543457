import type { Config } from '../config/schema.ts';
import type { ProviderCredentials } from '../integration/connector.ts';
import type { ProviderName } from '../integration/integration.ts';
import type { IntegrationService } from '../integration/integration-service.ts';
import type { IntegrationSettings } from '../integration/settings/integration-settings.ts';

export interface SandboxIntegrations {
  readonly config: Config;
  /** How integrations reach the sandbox's provider; null: there is none. */
  readonly provider: ProviderCredentials | null;
  readonly settings: IntegrationSettings;
  readonly refused: ReadonlyMap<ProviderName, string>;
  readonly integrations: IntegrationService;
}

/**
 * Activates integrations of the sandbox whose settings were never changed, and gives the active ones the address that its provider has since this start. One
 * that a person switched off stays off.
 */
export function activateInSandbox({
  config,
  provider,
  settings,
  refused,
  integrations,
}: SandboxIntegrations): void {
  for (const name of config.sandbox?.activated ?? []) {
    if (refused.has(name)) continue;
    const credentials = config.integrations[name]?.connector === 'rest' ? provider : null;
    const { updatedAt, isActive } = settings.get(name);
    if (updatedAt === 0) {
      if (credentials) settings.change(name, { autoSend: true });
      integrations.activate(name, credentials);
    } else if (isActive && credentials) integrations.rotate(name, credentials);
  }
}
