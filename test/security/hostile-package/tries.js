// What a package tries to reach without being noticed. Each returns what it has got; the row fails when one returns.

const keys = (value) => {
  if (value === undefined || value === null) throw new Error('it is not there');
  return typeof value === 'object' || typeof value === 'function' ? Reflect.ownKeys(value).length : value;
};

/** Whatever internals of Node touch while this is set shows up here. */
async function caught(property, provoke) {
  const seen = [];
  Object.defineProperty(Object.prototype, property, {
    configurable: true,
    get() {
      return undefined;
    },
    set(value) {
      seen.push(this?.constructor?.name);
      Object.defineProperty(this, property, { value, writable: true, configurable: true });
    },
  });
  await provoke();
  delete Object.prototype[property];
  const found = seen.filter((name) => name === 'Socket' || name === 'Pipe');
  if (found.length === 0) throw new Error('nothing passed by');
  return found.join();
}

export const tries = {
  import: (specifier) => import(specifier).then(keys),
  importJson: (specifier) =>
    import(specifier, { with: { type: 'json' } }).then(({ default: read }) => JSON.stringify(read)),
  importText: (specifier) => import(specifier, { with: { type: 'text' } }).then(({ default: read }) => read),
  environment: () => {
    const names = Object.keys(process.env);
    if (names.length === 0) throw new Error('it is empty');
    return JSON.stringify(process.env);
  },
  property: (name) => keys(process[name]),
  global: (name) => keys(globalThis[name]),
  constructorOfProcess: () => keys(process.constructor.getBuiltinModule ?? process.constructor.env),
  evaluate: () => Reflect.get(globalThis, 'eval')('1 + 1'),
  function: () => new Function('return 1')(),
  generatorFunction: () => new function* () {}.constructor('yield 1')().next().value,
  timerOfText: () =>
    new Promise((resolve, reject) => {
      globalThis.evaluated = resolve;
      setTimeout('evaluated(1)', 1);
      setTimeout(() => reject(new Error('it did not run')), 100);
    }),
  metaResolve: async () => {
    const { default: url } = await import(import.meta.resolve('node:fs'));
    return url;
  },
  stackFunctions: () => {
    const before = Error.prepareStackTrace;
    Error.prepareStackTrace = (_error, sites) => sites;
    const sites = new Error('x').stack;
    Error.prepareStackTrace = before;
    const found = sites
      .map((site) => site.getFunction?.() ?? site.getThis?.())
      .filter((one) => typeof one === 'function');
    if (found.length === 0) throw new Error('no function is shown');
    return found.map(({ name }) => name);
  },
  caller: () => tries.caller.caller,
  patchArray: () => {
    const own = Array.prototype.push;
    Array.prototype.push = function patched(...values) {
      return own.apply(this, values);
    };
    if (Array.prototype.push === own) throw new Error('it is frozen');
    return 'patched';
  },
  patchPromise: () => {
    Object.defineProperty(Promise.prototype, 'then', { value: () => undefined });
    return 'patched';
  },
  patchMap: () => {
    Object.defineProperty(Map.prototype, 'get', { value: () => undefined });
    return 'patched';
  },
  patchString: () => {
    Object.defineProperty(String.prototype, 'slice', { value: () => 'file:///' });
    return 'patched';
  },
  patchFunction: () => {
    Object.defineProperty(Function.prototype, 'call', { value: () => undefined });
    return 'patched';
  },
  catchSocket: async (property, { link }) => caught(property, () => link.write(Uint8Array.of(0x20))),
  consoleStream: () => keys(console._stdout ?? console._stderr),
  kitPrototype: (_argument, { kit }) => {
    kit.AppError = class {};
    return 'replaced';
  },
  kitGlobal: () => {
    globalThis.__tilldDriverKit = { AppError: class {} };
    return 'replaced';
  },
  hooks: () => keys(globalThis[Symbol.for('nodejs.loader')] ?? undefined),
  otherLink: async (_argument, { link }) => {
    const Proxied = link.constructor;
    const foreign = new Proxied(1, 'tcp', async () => undefined);
    await foreign.write(Uint8Array.of(6, 1));
    throw new Error('it was asked of nothing');
  },
};
