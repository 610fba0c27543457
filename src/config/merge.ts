type Path = readonly (string | number)[];
type PlainObject = Readonly<Record<string, unknown>>;

/** The values of several files, each merged over the one before: objects key by key and to any depth; everything else, lists too, replaces what was there. */
export function merged(values: readonly unknown[]): unknown {
  return values.reduce(over);
}

function over(below: unknown, above: unknown): unknown {
  if (!isObject(below) || !isObject(above)) return above;
  const keys = new Set([...Object.keys(below), ...Object.keys(above)]);
  return Object.fromEntries(
    [...keys].map((key) => {
      if (!Object.hasOwn(above, key)) return [key, below[key]];
      return [key, Object.hasOwn(below, key) ? over(below[key], above[key]) : above[key]];
    }),
  );
}

/** The file that decides what stands at a path of the merged value, or at the nearest part above it: its index. */
export function decidingFile(values: readonly unknown[], path: Path): number {
  let candidates = values.map((value, index) => ({ value, index }));
  for (const step of path) {
    const replaced = candidates.findLastIndex(({ value }) => !isObject(value));
    const below = candidates.slice(Math.max(replaced, 0)).filter(({ value }) => has(value, step));
    if (below.length === 0) break;
    candidates = below.map(({ value, index }) => ({ value: Reflect.get(Object(value), step), index }));
  }
  return candidates.at(-1)?.index ?? 0;
}

function has(value: unknown, step: string | number): boolean {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, step);
}

export function isObject(value: unknown): value is PlainObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
