import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { MIRRORED_LISTS } from '../../../src/api/routes/mirrored-table.ts';
import { type MirroredShop, shopWithMirror } from './mirrored-shop.ts';

const ROWS = 245;
const LIMIT = 100;

const Document = z.looseObject({
  paths: z.record(
    z.string(),
    z.looseObject({
      get: z.looseObject({ operationId: z.string(), parameters: z.array(z.unknown()) }).optional(),
    }),
  ),
});
const Parameter = z.looseObject({ name: z.string(), in: z.string() });
const List = z.looseObject({
  data: z.array(z.looseObject({ id: z.string() })),
  has_more: z.boolean().optional(),
});

/** Reads a whole list as the interface says how, knowing nothing but the OpenAPI document. */
class DescribedClient {
  readonly #get: MirroredShop['get'];
  readonly #paths: z.output<typeof Document>['paths'];

  private constructor(get: MirroredShop['get'], paths: z.output<typeof Document>['paths']) {
    this.#get = get;
    this.#paths = paths;
  }

  static async of({ get }: MirroredShop): Promise<DescribedClient> {
    const { json } = await get('/v2/openapi.json');
    return new DescribedClient(get, Document.parse(json).paths);
  }

  async readAll(path: string, version: string): Promise<readonly string[]> {
    const names = this.#parametersOf(path);
    if (names.includes('offset')) return this.#numbered(path, version, (page) => `offset=${page * LIMIT}`);
    if (names.includes('page')) return this.#numbered(path, version, (page) => `page=${page + 1}`);
    expect(names).toEqual(expect.arrayContaining(['starting_after', 'ending_before']));
    return this.#behindCursors(path, version);
  }

  async #numbered(
    path: string,
    version: string,
    place: (page: number) => string,
  ): Promise<readonly string[]> {
    const ids: string[] = [];
    for (let page = 0; ; page += 1) {
      const { data } = await this.#page(`${path}?limit=${LIMIT}&${place(page)}`, version);
      ids.push(...data.map(({ id }) => id));
      if (data.length < LIMIT) return ids;
    }
  }

  async #behindCursors(path: string, version: string): Promise<readonly string[]> {
    const ids: string[] = [];
    for (let more = true; more; ) {
      const behind = ids.length === 0 ? '' : `&starting_after=${ids.at(-1)}`;
      const { data, has_more } = await this.#page(`${path}?limit=${LIMIT}${behind}`, version);
      ids.push(...data.map(({ id }) => id));
      more = has_more ?? data.length === LIMIT;
    }
    return ids;
  }

  async #page(path: string, version: string) {
    const { status, json } = await this.#get(path, { headers: { 'service-version': version } });
    expect(status, path).toBe(200);
    return List.parse(json);
  }

  #parametersOf(path: string): readonly string[] {
    const parameters = this.#paths[path]?.get?.parameters ?? [];
    return parameters.flatMap((one) => {
      const read = Parameter.safeParse(one);
      return read.success && read.data.in === 'query' ? [read.data.name] : [];
    });
  }
}

describe('a client that is made from the OpenAPI document', () => {
  it.each(['2026-05-01', '2026-01-15'])(
    'reads every row of every mirrored list from the agent, without a service, under %s',
    async (version) => {
      const idsOf = new Map(
        MIRRORED_LISTS.map(({ name }, list) => [
          name,
          Array.from({ length: ROWS }, (_, index) => uuid(list, index)),
        ]),
      );
      const lists = [...idsOf].map(([name, ids]) => [
        name,
        ids.map((id) => ({ id, status: 'needs_response' })),
      ]);
      const client = await DescribedClient.of(await shopWithMirror(Object.fromEntries(lists)));
      for (const { name, path } of MIRRORED_LISTS) {
        const read = await client.readAll(path, version);
        expect(read, path).toHaveLength(ROWS);
        expect(new Set(read), path).toEqual(new Set(idsOf.get(name)));
      }
    },
  );
});

function uuid(list: number, index: number): string {
  return `0199c0de-${list.toString(16).padStart(4, '0')}-7000-8000-${index.toString(16).padStart(12, '0')}`;
}
