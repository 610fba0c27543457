import type { Json, JsonObject } from '../connector.ts';

/** Text that needs no escaping inside quotes. */
const PLAIN = /^[ !#-[\]-~]*$/;

/** JSON with sorted keys: the key order of a source does not matter. */
export function canonical(value: Json): string {
  return new CanonicalText().of(value);
}

/** A field: the text that begins it, and the writer of its value. */
interface Field {
  readonly key: string;
  readonly label: string;
  readonly inner: CanonicalText;
}

/**
 * Writes values as {@link canonical} does. Every record of every page passes here, and the records of one page mostly have the same keys in the same
 * order: the keys are sorted once, and again when a record has others.
 */
export class CanonicalText {
  #keys: readonly string[] = [];
  #fields: readonly Field[] = [];

  of(value: Json): string {
    if (typeof value === 'string') return quoted(value);
    if (typeof value !== 'object' || value === null) return JSON.stringify(value);
    return Array.isArray(value) ? this.#list(value) : this.#object(value as JsonObject);
  }

  #list(value: readonly Json[]): string {
    return `[${value.map((item) => this.of(item)).join(',')}]`;
  }

  #object(value: JsonObject): string {
    const keys = Object.keys(value);
    if (!isSame(keys, this.#keys)) this.#learn(keys);
    let text = '{';
    for (const { key, label, inner } of this.#fields) {
      const item = value[key] ?? null;
      text += label;
      text += typeof item === 'string' ? quoted(item) : inner.of(item);
    }
    return `${text}}`;
  }

  #learn(keys: readonly string[]): void {
    this.#keys = keys;
    this.#fields = keys.toSorted().map((key, no) => {
      const label = `${no === 0 ? '' : ','}${quoted(key)}:`;
      return { key, label, inner: new CanonicalText() };
    });
  }
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((key, at) => key === other[at]);
}

function quoted(text: string): string {
  return PLAIN.test(text) ? `"${text}"` : JSON.stringify(text);
}
