// What a package does to the machine, to the channel and to the books.

const forever = () => {
  for (;;);
};

/** Replaces what passes the channel next: the driver's own words are written by code that uses the global JSON. */
function forge(message, provoke) {
  const own = globalThis.JSON;
  const text = typeof message === 'string' ? message : own.stringify(message);
  globalThis.JSON = { ...own, parse: own.parse, stringify: () => text };
  try {
    provoke();
  } finally {
    globalThis.JSON = own;
  }
  return 'sent';
}

const record = ({ context }, summary = 'x') => context.transcript.record('sent', summary);

export const violence = {
  loop: forever,
  loopOfMicrotasks: () => {
    const again = () => Promise.resolve().then(again);
    return again();
  },
  wait: () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0),
  slowRegex: () => /^(a+)+$/.test(`${'a'.repeat(64)}b`),
  loopInPayment: forever,
  throwInTimer: () => new Promise(() => setTimeout(() => undefined.x, 1)),
  rejectUnhandled: () => {
    void Promise.reject(new Error('planted'));
    return new Promise(() => undefined);
  },
  throwInListener: () => {
    const target = new EventTarget();
    target.addEventListener('x', () => {
      throw new Error('planted');
    });
    target.dispatchEvent(new Event('x'));
    return new Promise(() => undefined);
  },
  throwNothing: () => {
    setTimeout(() => {
      throw undefined;
    }, 1);
    return new Promise(() => undefined);
  },
  allocateObjects: () => {
    const kept = [];
    for (;;) kept.push({ a: kept.length, b: [kept.length] });
  },
  allocateBuffers: async () => {
    const kept = [];
    for (;;) {
      kept.push(new Uint8Array(8_388_608).fill(1));
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
  },
  allocateStrings: async () => {
    const kept = [];
    for (;;) kept.push(String(kept.length).repeat(100_000).split('').join('-'));
  },
  allocateTimers: () => {
    for (;;) setTimeout(() => undefined, 1_000_000);
  },
  floodLog: (_argument, { context }) => {
    for (;;) context.log.info({ a: 1 }, 'x');
  },
  floodConsole: () => {
    for (;;) console.log('x');
  },
  floodTranscript: (_argument, tools) => {
    for (;;) record(tools);
  },
  floodLongLines: (_argument, tools) => {
    for (;;) record(tools, 'x'.repeat(100_000));
  },
  floodWrites: (_argument, { link }) => {
    for (;;) void link.write(Uint8Array.of(1)).catch(() => undefined);
  },
  floodDials: (_argument, { context }) => {
    for (;;) void context.dial(new AbortController().signal).catch(() => undefined);
  },
  floodCloses: (_argument, { link }) => {
    for (;;) void link.close();
  },
  longLine: (_argument, tools) => {
    forge({ type: 'record', session: 1, direction: 'sent', summary: 'x'.repeat(100_000) }, () =>
      record(tools),
    );
    return new Promise(() => undefined);
  },
  forge: (message, tools) => {
    forge(message, () => record(tools));
    return new Promise(() => undefined);
  },
  nested: (_argument, tools) => {
    forge(`{"type":"result","call":1,"value":${'['.repeat(400_000)}${']'.repeat(400_000)}}`, () =>
      record(tools),
    );
    return new Promise(() => undefined);
  },
  longLength: (_argument, tools) => {
    const own = globalThis.Buffer;
    globalThis.Buffer = {
      from: own.from,
      alloc: own.alloc,
      concat: () => own.from([0xff, 0xff, 0xff, 0xff, 1, 2]),
    };
    try {
      record(tools);
    } finally {
      globalThis.Buffer = own;
    }
    return new Promise(() => undefined);
  },
  throwInPayment: () => {
    setTimeout(() => {
      throw new Error('planted');
    }, 1);
    return new Promise(() => undefined);
  },
  negativeAmount: ({ observer, report }) => observer.beforeAcknowledge({ ...report, amountMinor: -1 }),
  brokenAmount: ({ observer, report }) => observer.beforeAcknowledge({ ...report, amountMinor: 0.5 }),
  textAmount: ({ observer, report }) => observer.beforeAcknowledge({ ...report, amountMinor: '1234' }),
  ownVerdict: ({ observer, report }) => observer.beforeAcknowledge({ ...report, verdict: 'paid' }),
};
