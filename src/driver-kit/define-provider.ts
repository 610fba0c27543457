import type { z } from 'zod';
import { AppError } from '../base/errors.ts';
import type {
  AuthorisedBy,
  Connector,
  ConnectorContext,
  ProviderCredentials,
  ResourceManifest,
  SourceAccess,
} from '../integration/connector.ts';
import type { WebhookScheme } from '../integration/webhook-scheme.ts';
import { knownKeysAt } from './known-keys.ts';

/** A kind of source as data: its name and its needs, without loading it. */
export interface ProviderManifest {
  /** The name in the config: `rest`. */
  readonly id: string;
  readonly title: string;
  readonly apiVersion: 1;
  /** The part of the context that it uses: requests, the files of a folder, or the terminals of the shop. */
  readonly reads: 'http' | 'files' | 'terminals';
  /**
   * Loads the driver, checks the settings of one integration and returns the configured provider; nothing is opened.
   * @throws PROVIDER_SETTINGS_INVALID, one sentence per mistake, each with its path
   */
  configure(settings: unknown): Promise<ConfiguredProvider>;
}

/** A provider with its settings; a rotated credential needs new access and a new connection, not new settings. */
export interface ConfiguredProvider {
  readonly resources: readonly ResourceManifest[];
  /** Its connectors have `recordPayment`. */
  readonly takesPayments: boolean;
  /** The parts of a credential without which `access` refuses. */
  readonly needs: readonly (keyof ProviderCredentials)[];
  /** How it gets a new credential: a key is enough, or a person authorises tilld in a browser. */
  readonly authorisedBy: AuthorisedBy;
  /** How its source signs webhooks; null: it sends none. */
  readonly webhook: WebhookScheme | null;
  /** What its settings call their source, for people; null: they have no name for it. */
  readonly title: string | null;
  /** What its settings themselves say that they do, and do not; nothing is requested. */
  failedExamples(): Promise<readonly SettingsMistake[]>;
  /** @throws SOURCE_REFUSED when the credential lacks a part that this provider needs; null: it makes no requests */
  access(credentials: ProviderCredentials): SourceAccess | null;
  connect(context: ConnectorContext): Connector;
}

/** What a connector's module exports. */
export interface ProviderDriver {
  /** @throws PROVIDER_SETTINGS_INVALID */
  configure(id: string, settings: unknown): ConfiguredProvider;
}

/** The parts of a connector. */
export interface DriverDeps<Schema extends z.ZodType> {
  /** The schema of its part of the config. */
  readonly settings: Schema;
  /** Its resources with these settings. */
  readonly resources: (settings: z.output<Schema>) => readonly ResourceManifest[];
  /** Whether it records payments at the source with these settings; absent: never. */
  readonly takesPayments?: (settings: z.output<Schema>) => boolean;
  /** The parts of a credential without which `access` refuses; absent: none. */
  readonly needs?: (settings: z.output<Schema>) => readonly (keyof ProviderCredentials)[];
  /** Absent: a key. */
  readonly authorisedBy?: (settings: z.output<Schema>) => AuthorisedBy;
  /** Absent: its source sends no webhooks. */
  readonly webhook?: (settings: z.output<Schema>) => WebhookScheme | null;
  /** Absent: its settings have no name for their source. */
  readonly title?: (settings: z.output<Schema>) => string;
  /** Absent: its settings hold no examples. */
  readonly failedExamples?: (settings: z.output<Schema>) => Promise<readonly SettingsMistake[]>;
  /** Absent: it makes no requests. */
  readonly access?: (settings: z.output<Schema>, credentials: ProviderCredentials) => SourceAccess;
  readonly connect: (settings: z.output<Schema>, context: ConnectorContext) => Connector;
}

interface Declaration extends Omit<ProviderManifest, 'configure'> {
  readonly load: () => Promise<ProviderDriver>;
}

/** Declares a provider driver; the list is `drivers/index.ts`. */
export function defineProvider({ load, ...facts }: Declaration): ProviderManifest {
  return { ...facts, configure: async (settings) => (await load()).configure(facts.id, settings) };
}

/** Builds a driver from its parts. */
export function providerDriver<Schema extends z.ZodType>(parts: DriverDeps<Schema>): ProviderDriver {
  return {
    configure: (id, raw) => {
      const settings = checked(id, parts.settings, raw);
      return {
        resources: parts.resources(settings),
        takesPayments: parts.takesPayments?.(settings) ?? false,
        needs: parts.needs?.(settings) ?? [],
        authorisedBy: parts.authorisedBy?.(settings) ?? 'key',
        webhook: parts.webhook?.(settings) ?? null,
        title: parts.title?.(settings) ?? null,
        failedExamples: async () => (await parts.failedExamples?.(settings)) ?? [],
        access: (credentials) => parts.access?.(settings, credentials) ?? null,
        connect: (context) => parts.connect(settings, context),
      };
    },
  };
}

/** How many mistakes one error names; further ones show after these are fixed. */
const MOST_MISTAKES = 10;

/** A mistake in the settings, with its keys and indices from their top. */
export interface SettingsMistake {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** The mistakes of a PROVIDER_SETTINGS_INVALID; empty for any other error. */
export function mistakesOf(error: unknown): readonly SettingsMistake[] {
  return error instanceof SettingsInvalid ? error.mistakes : [];
}

class SettingsInvalid extends AppError {
  readonly mistakes: readonly SettingsMistake[];

  constructor(id: string, mistakes: readonly SettingsMistake[]) {
    const words = mistakes.map(({ path, message }) =>
      path.length === 0 ? message : `${path.join('.')}: ${message}`,
    );
    super('PROVIDER_SETTINGS_INVALID', `the settings of ${id} are wrong: ${words.join('; ')}`);
    this.mistakes = mistakes;
  }
}

function checked<Schema extends z.ZodType>(id: string, schema: Schema, raw: unknown): z.output<Schema> {
  const parsed = schema.safeParse(raw);
  if (parsed.success) return parsed.data;
  throw new SettingsInvalid(
    id,
    parsed.error.issues.flatMap((issue) => mistakesIn(schema, raw, issue)).slice(0, MOST_MISTAKES),
  );
}

/** An unknown key is a mistake of its own, at its own place, with the keys that are known there. */
function mistakesIn(schema: z.ZodType, raw: unknown, issue: z.core.$ZodIssue): readonly SettingsMistake[] {
  const path = issue.path.filter((step) => typeof step !== 'symbol');
  if (issue.code !== 'unrecognized_keys') return [{ path, message: issue.message }];
  const known = knownKeysAt(schema, path, raw);
  const message = known.length === 0 ? 'is unknown here' : `is unknown here; known are ${known.join(', ')}`;
  return issue.keys.map((key) => ({ path: [...path, key], message }));
}
