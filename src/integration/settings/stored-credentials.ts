import type { ProviderCredentials } from '../connector.ts';
import type { ProviderName } from '../integration.ts';
import type { CredentialView } from '../integrations-api.ts';
import type { IntegrationSettings } from './integration-settings.ts';

/** The stored credentials: read, completed and kept. No method shows a key to a person. */
export class StoredCredentials {
  readonly #settings: IntegrationSettings;
  readonly #read: (name: ProviderName) => ProviderCredentials | null;

  /** `read` @throws SEAL_BROKEN, SEAL_KEY_UNUSABLE */
  constructor(settings: IntegrationSettings, read: (name: ProviderName) => ProviderCredentials | null) {
    this.#settings = settings;
    this.#read = read;
  }

  /** A credential that cannot be opened any more is none: another one takes its place. */
  stored(name: ProviderName): ProviderCredentials | null {
    try {
      return this.#read(name);
    } catch {
      return null;
    }
  }

  /** What a person may see of it. */
  view(name: ProviderName): CredentialView {
    const stored = this.stored(name);
    const isStored = this.#settings.get(name).sealedCredentials !== null;
    return {
      hasKey: (stored?.apiKey ?? '') !== '',
      isReadable: !isStored || stored !== null,
      baseUrl: stored?.baseUrl || null,
      appName: stored?.appName || null,
      appEmail: stored?.appEmail || null,
    };
  }

  /** Parts that are empty stay as they are stored: a rotated key belongs to the same installation. */
  whole(
    name: ProviderName,
    { apiKey, baseUrl, appName, appEmail }: ProviderCredentials,
  ): ProviderCredentials {
    const stored = this.stored(name);
    return {
      apiKey,
      baseUrl: baseUrl || (stored?.baseUrl ?? ''),
      appName: appName || (stored?.appName ?? ''),
      appEmail: appEmail || (stored?.appEmail ?? ''),
    };
  }

  /** Without an address it stays so: a recipe on trial may be of another provider than the stored address. */
  named(name: ProviderName, credentials: ProviderCredentials): ProviderCredentials {
    return { ...this.whole(name, credentials), baseUrl: credentials.baseUrl };
  }

  /** A new credential ends a pause for a refused credential; a pause for failed runs stays. */
  keep(name: ProviderName, credentials: ProviderCredentials): void {
    const settings = this.#settings;
    settings.keepCredentials(name, this.whole(name, credentials));
    settings.forgetForbidden(name);
    if (settings.get(name).pausedFor === 'credentials')
      settings.change(name, { pausedFor: null, pausedAt: null });
  }
}
