// A driver that does what its options say. It imports nothing, so that both hosts load the same file.

const capabilities = {
  refund: false,
  void: 'none',
  voidNeedsCard: false,
  // Packages for earlier releases name it; it has no effect.
  preauthorisation: false,
  tip: false,
  abort: false,
  recover: 'none',
  commitPoint: 'received',
  settleMs: 1000,
  goesOnMs: 0,
  endOfDay: false,
  totalsWithoutPaper: false,
  identity: 'port',
};

const never = () => new Promise(() => undefined);

/** Ends with the reason of the signal, as every driver should. */
const untilAborted = (signal) =>
  new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });

const READINESS = {
  ready: async () => ({ kind: 'ready' }),
  throws: async () => {
    throw new Error('planted');
  },
  never,
  untilAborted,
  echo: async (_signal, { link }) => {
    await link.write(Uint8Array.of(1, 2, 3));
    for await (const chunk of link.bytes)
      return { kind: 'wait', code: 'ECHO', message: [...chunk].join(' ') };
    return { kind: 'wait', code: 'ENDED', message: (await link.closed).reason };
  },
  dials: async (signal, { link, context }) => {
    await link.close();
    const next = await context.dial(signal);
    await next.write(Uint8Array.of(9));
    return { kind: 'ready' };
  },
  beside: async (signal, { link, context }) => {
    const beside = await context.openBeside(signal);
    await beside.write(Uint8Array.of(7));
    await beside.close();
    await link.write(Uint8Array.of(8));
    const { host, port } = context.address;
    return { kind: 'wait', code: 'THERE', message: `${host} ${port}` };
  },
};

export const driver = {
  async open(link, context) {
    const { readiness = 'ready', execute = 'approved', copy } = context.options;
    let references = ['A00001'];
    return {
      capabilities: copy ? { ...capabilities, reprint: true } : capabilities,
      ...(copy && { reprint: async () => copy }),
      identify: async () => ({ grade: 'port', model: `${context.deviceId} ${context.currency}` }),
      readiness: (signal) => READINESS[readiness](signal, { link, context }),
      lastTransaction: async () => ({ kind: 'empty' }),
      references: () => new Set(references),
      async execute(command, observer) {
        if (execute === 'throws') throw new Error('planted');
        const report = {
          verdict: 'approved',
          kind: 'sale',
          amountMinor: command.amount.minor,
          currency: 'EUR',
        };
        const accepted = observer.accepted();
        observer.progress('card, please');
        const stored = observer.beforeAcknowledge(report);
        references = [...references, command.ticket];
        const outcome = { kind: 'approved', report, receipts: { merchant: `${accepted} ${stored}` } };
        return observer.beforeEnd(outcome) ? outcome : { kind: 'unknown', code: 'NOT_STORED', message: 'no' };
      },
      abort: () => context.log.info({ abort: true }, 'abort'),
      async endOfDay(progress) {
        progress('closing');
        return { kind: 'closed', totals: { count: 1, amountMinor: -5, currency: 'EUR' }, receipts: {} };
      },
      totals: async () => null,
      journal: async () => ({ complete: true, lines: [], totals: null }),
      close: async () => undefined,
    };
  },
};
