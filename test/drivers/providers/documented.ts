import type { Dialect, PageFacts, SourceRow } from './hostile-source.ts';

/** A source that answers as the documentation of a real one shows; it is not the real one. */
export interface Documented {
  readonly recipe: string;
  readonly settings: object;
  readonly apiKey: string;
  readonly prefix: string;
  readonly style: Dialect['style'];
  /** Names of its parameters, as `asked` or the query has them. */
  readonly place: string;
  readonly sizeName: string;
  /** Where each resource is, and its name in the answer. */
  readonly lists: Readonly<Record<string, { readonly path: string; readonly key: string }>>;
  /** The resource that all guarantees are tested with, and one of its records. */
  readonly main: string;
  row(row: SourceRow): object;
  page(items: readonly unknown[], facts: PageFacts, key: string): ReturnType<Dialect['page']>;
  readonly asked?: NonNullable<Dialect['asked']>;
  readonly since?: Dialect['since'];
  readonly isTimeless?: boolean;
  readonly failures?: readonly (readonly [code: string, body: object])[];
  /** What a request must carry, in the form in which it is sent. */
  readonly carries: readonly string[];
  /** Its own refusals: the status, the body, what they become, and the words that stay. */
  readonly refusals: readonly (readonly [status: number, body: object, code: string, words: string])[];
}

export const iso = (ms: number) => new Date(ms).toISOString().replace('.000Z', 'Z');
export const sql = (ms: number) => new Date(ms).toISOString().slice(0, 19).replace('T', ' ');
export const msOf = (text: string | null | undefined) => (text ? Date.parse(text) : null);
export const utc = (text: string | null | undefined) =>
  text ? Date.parse(`${text.replace(' ', 'T')}Z`) : null;
export const found = (pattern: RegExp, text: string | null) => pattern.exec(text ?? '')?.[1];
