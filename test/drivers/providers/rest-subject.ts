import { rest } from '../../../drivers/providers/rest/manifest.ts';
import type { ProviderManifest } from '../../../src/driver-kit/provider.ts';
import type { Dialect, SourceRow } from './hostile-source.ts';

/** A connector, a source that speaks as it expects, and what the source can do. */
export interface Subject {
  readonly name: string;
  readonly manifest: ProviderManifest;
  readonly settings: unknown;
  readonly apiKey: string;
  /** What the source's base address has behind its host. */
  readonly prefix: string;
  readonly resource: string;
  readonly dialect: Dialect;
  /** It can be asked for changes only. */
  readonly asksForChanges: boolean;
  /** Every fault is played, not only one of each kind: the rest of its family reads answers in the same way. */
  readonly everyFault: boolean;
  /** Its records do not say when they changed. */
  readonly isTimeless?: boolean;
  /** Failures that its source reports with a status of 200, and what each must become. */
  readonly failures?: readonly (readonly [code: string, body: object])[];
}

export const iso = (ms: number) => new Date(ms).toISOString();
export const plain = ({ id, changedMs }: SourceRow) => ({
  id,
  name: `Row ${id}`,
  updated_at: iso(changedMs),
  extra: { kept: true },
});
export const since = (name: string) => (query: URLSearchParams) => {
  const text = query.get(name);
  return text === null ? null : Date.parse(text.replace(/^[^0-9]*/, ''));
};

/** A recipe of one list, and the source that it expects. */
export function restSubject(
  name: string,
  page: { style: Dialect['style'] } & Record<string, unknown>,
  dialect: Partial<Dialect>,
  more: { resource?: object; recipe?: object; failures?: Subject['failures'] } = {},
): Subject {
  const recipe = {
    recipe: 1,
    id: 'things',
    title: 'Things',
    documentation: 'https://things.example/docs',
    auth: { type: 'query', name: 'api_key' },
    ...more.recipe,
    resources: {
      things: {
        path: '/things',
        items: 'data',
        page,
        changes: { from: { parameter: 'since', format: 'iso_ms' } },
        id: 'id',
        updatedAt: { value: 'updated_at', format: 'iso' },
        fields: { title: 'name' },
        ...more.resource,
      },
    },
  };
  return {
    name: `a recipe, ${name}`,
    manifest: rest,
    settings: { recipe },
    apiKey: 'key-in-the-query',
    prefix: '/api',
    resource: 'things',
    asksForChanges: true,
    everyFault: page.style === 'link' || more.failures !== undefined,
    ...(more.failures ? { failures: more.failures } : {}),
    dialect: {
      path: '/api/things',
      style: page.style,
      size: 10,
      place: page.style,
      sizeName: 'size',
      row: plain,
      page: (items, { total, nextAddress, lastId, hasMore }) => ({
        body: { data: items, total, next: nextAddress, cursor: lastId, more: hasMore },
        headers: nextAddress === null ? {} : { link: `<${nextAddress}>; rel="next", </api>; rel="index"` },
      }),
      since: since('since'),
      ...dialect,
    },
  };
}
