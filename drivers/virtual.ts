import { z } from 'zod';
import type { VirtualDialect } from '../src/sandbox/terminal/dialect.ts';

/** The virtual terminals of one family, without loading them. */
export interface VirtualFamily {
  /** The id of the driver: `zvt`. */
  readonly protocol: string;
  /** What can be different from the usual terminal; every option may be left out. */
  readonly options: z.ZodObject;
  /** @throws ZodError when `changes` do not fit `options`. */
  readonly load: (changes: unknown) => Promise<VirtualDialect>;
}

const ms = z.int().min(0).max(86_400_000).exactOptional();
const flag = z.boolean().exactOptional();

/** The habits of ZVT terminals by which vendors differ; see `terminals/zvt/virtual-options.ts`. */
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
  collides: flag,
  agreesOnCharset: flag,
  voids: z.enum(['any', 'last', 'none', 'last_regardless']).exactOptional(),
  reservations: z.enum(['none', 'one', 'list']).exactOptional(),
  needs: z.enum(['nothing', 'initialisation', 'diagnosis', 'clock']).exactOptional(),
  repeatReceipt: z.enum(['told', 'empty', 'only_with_paper']).exactOptional(),
  takenBackVoidShows: z.enum(['own_trace', 'original_trace']).exactOptional(),
});

/** Every virtual terminal that exists: one entry each, loaded when somebody switches one on. */
export const virtualTerminals: readonly VirtualFamily[] = [
  {
    protocol: 'zvt',
    options: zvtOptions,
    load: async (changes) =>
      (await import('./terminals/zvt/virtual.ts')).zvtDialect(zvtOptions.parse(changes)),
  },
];
