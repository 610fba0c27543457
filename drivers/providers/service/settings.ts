import {
  type ProviderCredentials,
  type ResourceManifest,
  type SourceAccess,
  sourceError,
  z,
} from '../../../src/driver-kit/provider.ts';
import { LIST_NAMES, LISTS, type ListName, type ServiceList } from './lists.ts';

const override = z.strictObject({
  path: z
    .string()
    .max(200)
    .regex(/^\/[^\s?#]*$/, 'begins with / and has no query')
    .optional(),
  style: z.enum(['offset', 'page', 'cursor']).optional(),
  /** Filters of the list, such as `{"status": "open"}`. */
  query: z.record(z.string().min(1).max(100), z.string().max(200)).default({}),
});

export const settingsSchema = z.strictObject({
  /** Which lists are mirrored. */
  lists: z
    .array(z.enum(LIST_NAMES))
    .min(1)
    .max(LIST_NAMES.length)
    .default([...LIST_NAMES]),
  /** Where the service differs from its interface's documentation. */
  overrides: z.partialRecord(z.enum(LIST_NAMES), override).default({}),
  version: z
    .string()
    .regex(/^\d{4}-\d{2}-\d{2}$/, 'a date, as in 2026-05-01')
    .default('2026-05-01'),
});

export type Settings = z.output<typeof settingsSchema>;

/** A list with its settings applied. */
export interface ConfiguredList extends ServiceList {
  readonly query: Readonly<Record<string, string>>;
}

/** @throws SOURCE_REFUSED when the settings do not name this list */
export function listOf({ lists, overrides }: Settings, name: string): ConfiguredList {
  const known = lists.find((one) => one === name);
  if (known === undefined)
    throw sourceError('SOURCE_REFUSED', `"${name}" is not among the lists of the settings`);
  return configured(known, overrides);
}

/** The service cannot filter its lists by change, so every run reads all records. */
export function resourcesOf({ lists, overrides }: Settings): readonly ResourceManifest[] {
  return lists.map((name) => ({
    name,
    cursorField: null,
    pageStyle: configured(name, overrides).style,
    deletes: 'scan',
  }));
}

/** @throws SOURCE_REFUSED when the address or the key is missing */
export function accessOf({ version }: Settings, { apiKey, baseUrl }: ProviderCredentials): SourceAccess {
  const key = apiKey.trim();
  if (baseUrl.trim() === '')
    throw sourceError('SOURCE_REFUSED', 'the service needs "baseUrl", which ends in /v2');
  if (!/^[\x21-\x7e]{1,4096}$/.test(key)) throw sourceError('SOURCE_REFUSED', 'the service needs "apiKey"');
  return {
    baseUrl: baseUrl.trim(),
    headers: { 'x-api-key': key, 'service-version': version },
    query: {},
    secrets: [key],
  };
}

function configured(name: ListName, overrides: Settings['overrides']): ConfiguredList {
  const changed = overrides[name];
  const list = LISTS[name];
  return {
    path: changed?.path ?? list.path,
    style: changed?.style ?? list.style,
    hasOne: list.hasOne,
    query: changed?.query ?? {},
  };
}
