import type { Clock } from '../base/clock.ts';
import { AppError } from '../base/errors.ts';
import { invariant } from '../base/invariant.ts';
import type { Sealer } from '../base/sealer.ts';
import type { Integration, IntegrationStore, ProviderName } from './integration.ts';
import type { WebhookRefusal, WebhookScheme } from './webhook-scheme.ts';

/** What people see of the webhooks of a provider. Counts are since the start; instants in epoch ms. */
export interface WebhookView {
  /** Where it is taken on this machine; null: nothing listens for webhooks. */
  readonly url: string | null;
  readonly isSecretStored: boolean;
  /** Until when the secret before it is valid, too; null: there is none. */
  readonly previousSecretUntil: number | null;
  readonly accepted: number;
  readonly refused: number;
  readonly lastAcceptedAt: number | null;
  readonly lastRefusedAt: number | null;
  readonly lastRefusal: WebhookRefusal | null;
}

export interface ProviderWebhooksDeps {
  readonly store: IntegrationStore;
  readonly sealer: Sealer;
  /** Of the integrations whose connector knows how its source signs. */
  readonly schemes: ReadonlyMap<ProviderName, WebhookScheme>;
  /** Wakes the syncs of these resources; null: of all. */
  readonly wake: (provider: ProviderName, resources: readonly string[] | null) => void;
  readonly count: (provider: ProviderName, outcome: 'accepted' | 'refused') => void;
  readonly clock: Clock;
}

/** Secrets of this many bytes at least can be guessed by no one; each byte of a text counts. */
const LEAST_BYTES = 16;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const NOTHING = { accepted: 0, refused: 0, lastAcceptedAt: null, lastRefusedAt: null, lastRefusal: null };

type Counts = Omit<WebhookView, 'url' | 'isSecretStored' | 'previousSecretUntil'>;

interface KeptSecret {
  readonly secret: string;
  /** null: until another takes its place. */
  readonly until: number | null;
}

interface Opened {
  readonly sealed: string;
  readonly secrets: readonly KeptSecret[] | null;
}

/**
 * Webhooks of providers: their secrets, their counts, and the wakeup that a genuine one is. It is never the record: what changed is read from the
 * source by the next run.
 *
 * INVARIANTS:
 * - a secret is stored sealed, bound to its provider, and no method shows it to a person;
 * - two secrets at most are valid: a third ends the oldest at once;
 * - taking or refusing a webhook writes nothing to the disk.
 */
export class ProviderWebhooks {
  readonly #deps: ProviderWebhooksDeps;
  readonly #counts = new Map<ProviderName, Counts>();
  readonly #opened = new Map<ProviderName, Opened>();
  #address: string | null = null;

  constructor(deps: ProviderWebhooksDeps) {
    this.#deps = deps;
  }

  /** Says where the listener is: `http://127.0.0.1:8490`; null: nowhere. */
  listening(address: string | null): void {
    this.#address = address;
  }

  /** Null: webhooks of this provider are not known. */
  schemeOf(name: ProviderName): WebhookScheme | null {
    return this.#deps.schemes.get(name) ?? null;
  }

  /** The valid secrets, the newest first; null: they cannot be opened. */
  secretsOf(name: ProviderName): readonly string[] | null {
    return this.#kept(name)?.map(({ secret }) => secret) ?? null;
  }

  /** A genuine webhook. */
  accepted(name: ProviderName, resources: readonly string[] | null): void {
    const before = this.#countsOf(name);
    const at = this.#deps.clock.now();
    this.#counts.set(name, { ...before, accepted: before.accepted + 1, lastAcceptedAt: at });
    this.#deps.count(name, 'accepted');
    this.#deps.wake(name, resources);
  }

  refused(name: ProviderName, lastRefusal: WebhookRefusal): void {
    const before = this.#countsOf(name);
    const lastRefusedAt = this.#deps.clock.now();
    this.#counts.set(name, { ...before, refused: before.refused + 1, lastRefusedAt, lastRefusal });
    this.#deps.count(name, 'refused');
  }

  /** Null: webhooks of this provider are not known. */
  view(name: ProviderName): WebhookView | null {
    if (this.schemeOf(name) === null) return null;
    return {
      url: this.#address === null ? null : `${this.#address}/hooks/${name}`,
      isSecretStored: this.#integration(name).sealedWebhookSecrets !== null,
      previousSecretUntil: this.#kept(name)?.[1]?.until ?? null,
      ...this.#countsOf(name),
    };
  }

  /**
   * Stores a secret; the one before it stays valid for `overlapMs`, and the one before that ends. The secret that is there already stays as it is.
   * @throws OPERATION_NOT_SUPPORTED, SETTINGS_INVALID for a secret that is too short, or no base64 where the key is, SEAL_KEY_UNUSABLE
   */
  setSecret(name: ProviderName, secret: string, overlapMs: number): void {
    const scheme = this.#required(name);
    const problem = problemOf(secret, scheme);
    if (problem !== null)
      throw new AppError('SETTINGS_INVALID', problem, {
        context: { issues: [{ path: ['secret'], message: problem }] },
      });
    const [newest] = this.#kept(name) ?? [];
    if (newest?.secret === secret) return;
    const previous = newest && { secret: newest.secret, until: this.#deps.clock.now() + overlapMs };
    const secrets = [{ secret, until: null }, ...(previous && overlapMs > 0 ? [previous] : [])];
    this.#store(name, this.#deps.sealer.seal(JSON.stringify(secrets), purposeOf(name)));
  }

  /** From now on every webhook of this provider is refused. @throws OPERATION_NOT_SUPPORTED */
  removeSecret(name: ProviderName): void {
    this.#required(name);
    this.#store(name, null);
  }

  #required(name: ProviderName): WebhookScheme {
    const scheme = this.schemeOf(name);
    if (scheme) return scheme;
    throw new AppError(
      'OPERATION_NOT_SUPPORTED',
      `The settings of ${name} do not say how its webhooks are signed: its recipe needs a section "webhook"`,
    );
  }

  #countsOf(name: ProviderName): Counts {
    return this.#counts.get(name) ?? NOTHING;
  }

  #integration(name: ProviderName): Integration {
    const found = this.#deps.store.all().find((one) => one.name === name);
    invariant(found, 'each integration has a row');
    return found;
  }

  /** Not a change of a person that an integration would be younger by. */
  #store(name: ProviderName, sealedWebhookSecrets: string | null): void {
    this.#deps.store.update({ ...this.#integration(name), sealedWebhookSecrets });
  }

  /** Those that are valid now; null: they cannot be opened. */
  #kept(name: ProviderName): readonly KeptSecret[] | null {
    const { sealedWebhookSecrets: sealed } = this.#integration(name);
    if (sealed === null) return [];
    let opened = this.#opened.get(name);
    // What cannot be opened is tried again: the key may come back.
    if (opened?.sealed !== sealed || opened.secrets === null) {
      opened = { sealed, secrets: this.#open(sealed, name) };
      this.#opened.set(name, opened);
    }
    const now = this.#deps.clock.now();
    return opened.secrets?.filter(({ until }) => until === null || until > now) ?? null;
  }

  #open(sealed: string, name: ProviderName): readonly KeptSecret[] | null {
    try {
      const kept: readonly KeptSecret[] = JSON.parse(this.#deps.sealer.open(sealed, purposeOf(name)));
      return kept;
    } catch {
      return null;
    }
  }
}

function problemOf(secret: string, { signature }: WebhookScheme): string | null {
  if (signature.type === 'hmac' && signature.key === 'base64') {
    const text = base64Of(secret);
    if (!BASE64.test(text)) return 'must be base64, behind whsec_ where the provider writes it so';
    return (text.length * 3) / 4 < LEAST_BYTES + 2 ? `must hold at least ${LEAST_BYTES} bytes` : null;
  }
  return secret.length < LEAST_BYTES ? `must have at least ${LEAST_BYTES} characters` : null;
}

/** A secret of Standard Webhooks without its prefix. */
export function base64Of(secret: string): string {
  return secret.startsWith('whsec_') ? secret.slice('whsec_'.length) : secret;
}

function purposeOf(name: ProviderName): string {
  return `webhooks of ${name}`;
}
