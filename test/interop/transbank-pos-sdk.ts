import { z } from '../../src/driver-kit/terminal.ts';
import { foreignPackage } from './foreign-package.ts';

const answer = z.looseObject({ functionCode: z.number(), responseCode: z.number(), successful: z.boolean() });
const sale = answer.extend({
  ticket: z.string(),
  authorizationCode: z.string(),
  amount: z.coerce.number(),
  operationNumber: z.string(),
  cardType: z.string(),
});
const totals = answer.extend({ txCount: z.number(), txTotal: z.number() });
const line = z.looseObject({ ticket: z.string(), amount: z.string(), operationNumber: z.string() });
const progress = z.looseObject({ responseCode: z.number() });

/** What the maker's own library for Node.js can do with a terminal; what it gives back is read, not believed. */
export interface MakersTill {
  connect(path: string): Promise<void>;
  poll(): Promise<boolean>;
  loadKeys(): Promise<z.output<typeof answer>>;
  sale(amount: number, ticket: string, onProgress?: (code: number) => void): Promise<z.output<typeof sale>>;
  lastSale(): Promise<z.output<typeof sale>>;
  void(operation: string): Promise<z.output<typeof answer>>;
  totals(): Promise<z.output<typeof totals>>;
  list(): Promise<readonly z.output<typeof line>[]>;
  closeDay(): Promise<z.output<typeof answer>>;
  disconnect(): Promise<void>;
}

type Method = (...values: readonly unknown[]) => Promise<unknown>;

/** A till made of that library. */
export function newMakersTill(): MakersTill {
  const Pos = memberOf(foreignPackage('transbank-pos-sdk'), 'POSIntegrado');
  if (typeof Pos !== 'function') throw new Error('transbank-pos-sdk has no POSIntegrado in it');
  return tillOf(Reflect.construct(Pos, []));
}

function tillOf(pos: unknown): MakersTill {
  const call = (name: string, ...values: readonly unknown[]): Promise<unknown> => {
    const method = memberOf(pos, name);
    if (!isMethod(method)) throw new Error(`POSIntegrado has no ${name}`);
    return method.apply(pos, [...values]);
  };
  return {
    connect: async (path) => void (await call('connect', path)),
    poll: async () => z.boolean().parse(await call('poll')),
    loadKeys: async () => answer.parse(await call('loadKeys')),
    sale: async (amount, ticket, onProgress) => {
      const onStatus = (status: unknown) => onProgress?.(progress.parse(status).responseCode);
      const reply = await call('sale', amount, ticket, onProgress !== undefined, onStatus);
      return sale.parse(reply);
    },
    lastSale: async () => sale.parse(await call('getLastSale')),
    void: async (operation) => answer.parse(await call('refund', operation)),
    totals: async () => totals.parse(await call('getTotals')),
    list: async () => z.array(line).parse(await call('salesDetail', false)),
    closeDay: async () => answer.parse(await call('closeDay')),
    disconnect: async () => void (await call('disconnect')),
  };
}

function memberOf(value: unknown, name: string): unknown {
  const isBag = (typeof value === 'object' && value !== null) || typeof value === 'function';
  return isBag ? Reflect.get(Object(value), name) : undefined;
}

function isMethod(value: unknown): value is Method {
  return typeof value === 'function';
}
