import type { z } from 'zod';
import { AppError } from '../base/errors.ts';
import type {
  Connector,
  ConnectorContext,
  ProviderCredentials,
  ResourceManifest,
  SourceAccess,
} from '../integration/connector.ts';

/** A kind of source as data: what it is and what it needs, without loading it. */
export interface ProviderManifest {
  /** The word in the config: `rest`. */
  readonly id: string;
  readonly title: string;
  readonly apiVersion: 1;
  /** What of the context it uses: requests, or the files of a folder. */
  readonly reads: 'http' | 'files';
  /** What its part of the config must look like. */
  readonly settings: z.ZodType;
  /**
   * Checks the settings of one slot and gives what follows from them; nothing is opened.
   * @throws PROVIDER_SETTINGS_INVALID, one sentence per mistake, each with its path
   */
  configure(settings: unknown): ConfiguredProvider;
}

/** A provider with its settings; a rotated credential needs new access and a new connection, not new settings. */
export interface ConfiguredProvider {
  readonly resources: readonly ResourceManifest[];
  /** @throws SOURCE_REFUSED when the credential lacks a part that this provider needs; null: it reads files */
  access(credentials: ProviderCredentials): SourceAccess | null;
  connect(context: ConnectorContext): Promise<Connector>;
}

/** What a connector's module exports: it gets its settings and its world, and gives the connector. */
export interface ProviderDriver<Settings> {
  connect(settings: Settings, context: ConnectorContext): Connector;
}

interface Declaration<Schema extends z.ZodType> {
  readonly id: string;
  readonly title: string;
  readonly apiVersion: 1;
  readonly settings: Schema;
  /** What it can give with these settings. */
  readonly resources: (settings: z.output<Schema>) => readonly ResourceManifest[];
  /** Absent: it reads the files of a folder. */
  readonly access?: (settings: z.output<Schema>, credentials: ProviderCredentials) => SourceAccess;
  readonly load: () => Promise<ProviderDriver<z.output<Schema>>>;
}

/** Declares a provider driver; the list is `drivers/index.ts`. */
export function defineProvider<Schema extends z.ZodType>(declared: Declaration<Schema>): ProviderManifest {
  const { id, title, apiVersion, settings: schema, access } = declared;
  return {
    id,
    title,
    apiVersion,
    reads: access ? 'http' : 'files',
    settings: schema,
    configure: (raw) => {
      const settings = checked(id, schema, raw);
      return {
        resources: declared.resources(settings),
        access: (credentials) => access?.(settings, credentials) ?? null,
        connect: async (context) => (await declared.load()).connect(settings, context),
      };
    },
  };
}

/** So many mistakes are named at once; whoever has more mends these first. */
const MOST_MISTAKES = 10;

function checked<Schema extends z.ZodType>(id: string, schema: Schema, raw: unknown): z.output<Schema> {
  const parsed = schema.safeParse(raw);
  if (parsed.success) return parsed.data;
  const words = parsed.error.issues
    .slice(0, MOST_MISTAKES)
    .map(({ path, message }) => (path.length === 0 ? message : `${path.map(String).join('.')}: ${message}`));
  throw new AppError('PROVIDER_SETTINGS_INVALID', `the settings of ${id} are wrong: ${words.join('; ')}`, {
    context: { mistakes: words },
  });
}
