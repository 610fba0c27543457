/** Of Node's modules that no snapshot can hold, what is read from them while everything is loaded. */
export type Known = Readonly<Record<string, unknown>>;

/** What the bundle of the snapshot calls where a bundle of modules imports. */
export interface Prelude {
  /** A module of Node's. */
  builtin(id: string): unknown;
  /** A package that brings a binary, or one file of it; it is loaded when it is first used. */
  late(id: string, file?: string): unknown;
  /** A file that lies beside the daemon's, at once. @throws Error while the snapshot is made */
  part(file: string): unknown;
  /** The URL of the daemon's file, which the launcher names. @throws Error while the snapshot is made: it will be woken elsewhere */
  place(): string;
}

/**
 * Stands before the bundle, as text: it may use nothing from outside. While the snapshot is made, what is loaded must take nothing of this
 * moment with it, as every start would have it again: randomness above all, for which a payment's ids and keys are made of it.
 */
export function prelude(known: Known): Prelude {
  const get = process.getBuiltinModule;
  const { startupSnapshot } = get('node:v8');
  const unheld = new Set(['node:http', 'node:https', 'node:http2', 'node:tls']);
  let woken = false;

  const when = (make: () => object) => {
    let made: object | undefined;
    const real = () => (made ??= make());
    // Only such a function can be called with `new`, too.
    return new Proxy(function none() {}, {
      get: (_none, key) => {
        if (!woken && typeof key === 'string' && key in known) return known[key];
        if (key === '__esModule' || (!woken && key === 'prototype')) return undefined;
        const value = Reflect.get(real(), key);
        return typeof value === 'function' && !('prototype' in value) ? value.bind(real()) : value;
      },
      has: (_none, key) => key in real(),
      construct: (_none, args) => Reflect.construct(real() as new () => object, args),
      apply: (_none, self, args) => Reflect.apply(real() as () => object, self, args),
    });
  };
  const awake = <T>(what: string, value: () => T): T => {
    if (!woken) throw new Error(`${what} is asked while the snapshot is made`);
    return value();
  };
  const place = () =>
    awake('the place of a file', () => get('node:url').pathToFileURL(process.argv[1] ?? '').href);

  const required = (id: string, file?: string): unknown => {
    const load = get('node:module').createRequire(place());
    if (file === undefined) return load(id);
    return load(get('node:path').join(load.resolve(`${id}/package.json`), '..', file));
  };

  const restored: (() => void)[] = [];
  const replace = (from: object, name: string, by: unknown) => {
    const before = Object.getOwnPropertyDescriptor(from, name);
    if (before?.configurable === false) return;
    Object.defineProperty(from, name, { value: by, configurable: true, writable: true });
    restored.push(() => {
      Reflect.deleteProperty(from, name);
      if (before) Object.defineProperty(from, name, before);
    });
  };
  const random = [
    'getRandomValues',
    'randomUUID',
    'randomBytes',
    'randomFillSync',
    'randomFill',
    'randomInt',
  ];
  for (const from of [globalThis.crypto, get('node:crypto')])
    for (const name of random) if (name in from) replace(from, name, () => awake(name, () => undefined));
  replace(Math, 'random', () => awake('Math.random', () => undefined));
  // V8 keeps no formatter in a snapshot.
  for (const name of ['DateTimeFormat', 'NumberFormat', 'Collator', 'PluralRules', 'Segmenter'] as const) {
    const real = Intl[name] as unknown as new (...args: unknown[]) => object;
    replace(Intl, name, function late(...args: unknown[]) {
      return when(() => new real(...args));
    });
  }
  startupSnapshot.addSerializeCallback(() => {
    for (const undo of restored) undo();
  });
  startupSnapshot.addDeserializeCallback(() => {
    woken = true;
  });
  return {
    builtin: (id) =>
      unheld.has(id) ? (woken ? get(id) : when(() => awake(id, () => get(id) as object))) : get(id),
    late: (id, file) => when(() => required(id, file) as object),
    part: (file) => required(file),
    place,
  };
}
