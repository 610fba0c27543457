import { AppError } from '../../base/errors.ts';
import { type Integration, PROVIDERS, type ProviderName } from '../integration.ts';
import type { ProductMapping } from '../integrations-api.ts';

/** Membership packages cost nothing. */
const FREE: readonly (string | undefined)[] = ['membership', 'free', undefined];

/** @throws PROVIDER_UNKNOWN */
export function providerNamed(name: string): ProviderName {
  const provider = PROVIDERS.find((one) => one === name);
  if (provider) return provider;
  throw new AppError('PROVIDER_UNKNOWN', `There is no such provider: it is one of ${PROVIDERS.join(', ')}`);
}

/** Before a requested sync: an integration that is off or paused does not run; the sync toggle stops the schedule alone. @throws SLOT_NOT_ACTIVE */
export function requireRunnable({ name, isActive, pausedFor }: Integration): void {
  if (!isActive) throw notActive(name, 'is not active: activate it first');
  if (pausedFor === 'credentials')
    throw notActive(name, 'is paused, because its credential was refused: rotate it, or resume');
  if (pausedFor !== null)
    throw notActive(name, 'is paused, because too many runs in a row have failed: resume it');
}

/** @throws SLOT_NOT_ACTIVE */
export function requireActive({ name, isActive }: Integration): void {
  if (!isActive) throw notActive(name, 'is not active: activate it first');
}

/** The interface gives `provider_d` no toggle, no lookback and no mapping policy; it has no invoices to send either. @throws SETTINGS_INVALID */
export function checkSettings(provider: ProviderName): void {
  if (provider === 'provider_d') throw invalid(['provider'], 'provider_d does not have this setting');
}

/** Each package once, and for `provider_d` only memberships without a price. @throws SETTINGS_INVALID for the first that is not */
export function checkMappings(provider: ProviderName, mappings: readonly ProductMapping[]): void {
  const seen = new Set<string>();
  for (const [index, mapping] of mappings.entries()) {
    const { externalId } = mapping;
    if (seen.has(externalId)) throw invalid(['mappings', index, 'externalId'], 'is mapped twice');
    seen.add(externalId);
    if (provider === 'provider_d' && !isFree(mapping))
      throw invalid(['mappings', index], 'must be a membership without money');
  }
}

/** What is known of the service's products. `isComplete`: their list was read to its end once; before that an unknown id proves nothing. */
interface KnownProducts {
  readonly isComplete: () => boolean;
  readonly name: (id: string) => string | null;
}

/**
 * Every newly mapped product is one of the list that is mirrored from the service; a mapping that is stored already stays, whatever became of its product.
 * The mirror is asked instead of the service: a set is stored under its idempotency key in one transaction, and a shop without its line can still map. Without
 * a complete list (no mirror, or not read yet) any id is accepted: records of an unknown product then wait on hold, and nothing is lost.
 * @throws SETTINGS_INVALID for the first that is unknown
 */
export function checkProducts(
  stored: readonly { readonly internalId: string | null }[],
  mappings: readonly ProductMapping[],
  products: KnownProducts,
): void {
  if (!products.isComplete()) return;
  const before = new Set(stored.map(({ internalId }) => internalId));
  for (const [index, { internalId }] of mappings.entries()) {
    if (internalId === null || before.has(internalId) || products.name(internalId) !== null) continue;
    throw invalid(
      ['mappings', index, 'internalId'],
      'is no product that tilld has read from the service; one that was made there just now is known here as soon as the list is read again',
    );
  }
}

function isFree({ priceOverride, metadata }: ProductMapping): boolean {
  return (priceOverride ?? 0) === 0 && FREE.includes(metadata.charge_type);
}

function invalid(path: readonly (string | number)[], message: string): AppError {
  return new AppError('SETTINGS_INVALID', message, { context: { issues: [{ path, message }] } });
}

function notActive(provider: ProviderName, why: string): AppError {
  return new AppError('SLOT_NOT_ACTIVE', `${provider} ${why}`, { context: { details: { provider } } });
}
