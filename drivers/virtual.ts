import { z } from 'zod';
import type { VirtualDialect } from '../src/sandbox/terminal/dialect.ts';

/** The virtual terminals of one family; listing them loads no code. */
export interface VirtualFamily {
  /** The id of the driver: `zvt`. */
  readonly protocol: string;
  /** Where it may differ from the usual terminal; every option may be left out. */
  readonly options: z.ZodObject;
  /** Options that are still accepted and have no effect any more: why. */
  readonly withdrawnOptions?: Readonly<Record<string, string>>;
  /** @throws ZodError when `changes` do not fit `options`. */
  readonly load: (changes: unknown) => Promise<VirtualDialect>;
}

const ms = z.int().min(0).max(86_400_000).exactOptional();
const flag = z.boolean().exactOptional();

/** The behaviour of ZVT terminals that differs between vendors; see `terminals/zvt/virtual-options.ts`. */
const zvtOptions = z.strictObject({
  customerTimeoutMs: ms,
  hostMs: ms,
  cardRemovalMs: ms,
  bootMs: ms,
  t1Ms: ms,
  t2Ms: ms,
  t3Ms: ms,
  goodsRetryMs: ms,
  looksIdleMs: ms,
  quietAfterCancelMs: ms,
  blockLines: z.int().min(0).max(1000).exactOptional(),
  storesDeclined: flag,
  numbersRestart: flag,
  forgetsAtClose: flag,
  honoursLock: flag,
  passwords: z
    .array(z.string().regex(/^\d{6}$/))
    .min(1)
    .max(16)
    .exactOptional(),
  collides: flag,
  agreesOnCharset: flag,
  voids: z.enum(['any', 'last', 'none', 'last_regardless']).exactOptional(),
  reservations: z.enum(['none', 'one', 'list']).exactOptional(),
  needs: z.enum(['nothing', 'initialisation', 'diagnosis', 'clock']).exactOptional(),
  repeatReceipt: z.enum(['told', 'empty', 'only_with_paper']).exactOptional(),
  takenBackVoidShows: z.enum(['own_trace', 'original_trace']).exactOptional(),
});

/** The behaviour of ECR17 terminals that differs; see `terminals/ecr17/virtual-options.ts`. */
const ecr17Options = z.strictObject({
  lrc: z.enum(['std', 'noext', 'stx', 'stx_noext']).exactOptional(),
  acksFirst: flag,
  hangsUp: flag,
  receipts: z.enum(['after', 'before', 'none']).exactOptional(),
  progress: flag,
  knowsX: flag,
  knowsReversal: flag,
  savesKo: flag,
  abortTakesStan: flag,
  savesByHand: flag,
  lastResult: z.enum(['told', 'refused', 'silent']).exactOptional(),
  forgetsAtClose: flag,
  totals: z.enum(['told', 'refused']).exactOptional(),
  whenBusy: z.enum(['silent', 'nak', 'looks_idle']).exactOptional(),
  status: z.string().length(1).exactOptional(),
  checksTerminalId: flag,
  customerTimeoutMs: ms,
  hostMs: ms,
  acknowledgementMs: ms,
});

/** The behaviour of Transbank terminals that differs; see `terminals/transbank/virtual-options.ts`. */
const transbankOptions = z.strictObject({
  customerTimeoutMs: ms,
  answerMs: ms,
  hostMs: ms,
  acknowledgeMs: ms,
  answerRepeats: z.int().min(0).max(2).exactOptional(),
  busy: z.enum(['nak', 'silence']).exactOptional(),
  looksIdleMs: ms,
  progress: flag,
  ticketFill: z.enum(['0', ' ']).exactOptional(),
  ticketWidth: z.int().min(6).max(12).exactOptional(),
  blankBrand: flag,
  debit: flag,
  voidedShows: z.enum(['twin', 'replaced']).exactOptional(),
  endLines: z.literal([1, 2]).exactOptional(),
  endNamesTerminal: flag,
  emptyList: z.enum(['end_line', 'code_11']).exactOptional(),
  list: z.enum(['told', 'refused']).exactOptional(),
  forgetsAtClose: flag,
  numbersRestart: flag,
  keys: z.enum(['loaded', 'missing', 'refused']).exactOptional(),
  mode: z.enum(['integrated', 'normal']).exactOptional(),
});

/** The behaviour of Concert terminals that differs; see `terminals/concert/virtual-options.ts`. */
const concertOptions = z.strictObject({
  dialect: z.enum(['eplus', 'v3']).exactOptional(),
  customerTimeoutMs: ms,
  hostMs: ms,
  lateAnswer: z.enum(['forgotten', 'told', 'on_knock']).exactOptional(),
  busySays: z.enum(['nothing', 'nak']).exactOptional(),
  busyConnection: z.enum(['closes', 'silent']).exactOptional(),
  looksIdleMs: ms,
  answer: z.enum(['as_asked', 'short']).exactOptional(),
  report: z.enum(['masked', 'whole_card', 'zeros']).exactOptional(),
  private: z.enum(['given_back', 'zeros', 'blanks']).exactOptional(),
  tellsWhy: flag,
  parity: flag,
  version: z.enum(['0300', '0301', '0310', '0320']).exactOptional(),
  paddedAmount: flag,
  reference: z.enum(['given_back', 'own', 'none']).exactOptional(),
  splitMs: ms,
  afterAnswer: z.enum(['closes', 'stays']).exactOptional(),
  statusQuery: z.enum(['none', 'T', '3']).exactOptional(),
  endOfDay: flag,
  tellsSerial: flag,
  identifies: flag,
  wantsLineEnd: flag,
  formatError: flag,
  stopWithoutEchoes: flag,
});

/** The behaviour of terminals with the Terminal API that differs; see `terminals/nexo/virtual-options.ts`. */
const nexoOptions = z.strictObject({
  customerTimeoutMs: ms,
  hostMs: ms,
  path: z.string().startsWith('/').max(128).exactOptional(),
  checksPoiId: flag,
  needsLogin: flag,
  repeatsSaleData: flag,
  chunked: flag,
  voids: flag,
  knowsTotals: flag,
  busyIs: z.enum(['condition', 'status']).exactOptional(),
  printer: z.enum(['OK', 'PaperOut']).exactOptional(),
  security: z
    .strictObject({
      keyIdentifier: z.string().min(1).max(64),
      keyVersion: z.int().min(0).max(9999),
      passphrase: z.string().min(1).max(200),
    })
    .nullable()
    .exactOptional(),
});

/** All virtual terminals: one entry each, loaded when one is switched on. */
export const virtualTerminals: readonly VirtualFamily[] = [
  {
    protocol: 'concert',
    options: concertOptions,
    load: async (changes) =>
      (await import('./terminals/concert/virtual.ts')).concertDialect(concertOptions.parse(changes)),
  },
  {
    protocol: 'transbank',
    options: transbankOptions,
    load: async (changes) =>
      (await import('./terminals/transbank/virtual.ts')).transbankDialect(transbankOptions.parse(changes)),
  },
  {
    protocol: 'zvt',
    options: zvtOptions,
    withdrawnOptions: {
      reservations:
        'has no effect any more, and can be removed: tilld reserves no money, and neither does the virtual terminal',
      goodsRetryMs:
        'has no effect any more, and can be removed: the virtual terminal takes any refusal of its result as final',
    },
    load: async (changes) =>
      (await import('./terminals/zvt/virtual.ts')).zvtDialect(zvtOptions.parse(changes)),
  },
  {
    protocol: 'ecr17',
    options: ecr17Options,
    load: async (changes) =>
      (await import('./terminals/ecr17/virtual.ts')).ecr17Dialect(ecr17Options.parse(changes)),
  },
  {
    protocol: 'nexo',
    options: nexoOptions,
    load: async (changes) =>
      (await import('./terminals/nexo/virtual.ts')).nexoDialect(nexoOptions.parse(changes)),
  },
];
