import { type Capabilities, customerMs, httpPath, z } from '../../../src/driver-kit/terminal.ts';

/**
 * What the terminal supports; the core refuses everything else before it sends anything.
 * `commitPoint`: no message follows the response. `goesOnMs`: a status request says InProgress for as long as the customer pays.
 */
export const capabilities: Capabilities = {
  refund: true,
  void: 'any',
  voidNeedsCard: false,
  tip: true,
  abort: true,
  recover: 'by_reference',
  commitPoint: 'received',
  settleMs: 10_000,
  goesOnMs: 0,
  endOfDay: true,
  totalsWithoutPaper: true,
  identity: 'serial',
};

export const MOST_MINOR = 999_999_999;
/**
 * How long a terminal certainly knows a request that it got: it refuses a ServiceID that it had within 48 hours. Half of it, because clocks
 * may be wrong.
 */
export const KEPT_MS = 24 * 3_600_000;

/** The schema of a device's `options`. */
export const options = z.strictObject({
  poi_id: z
    .string()
    .regex(/^[\x21-\x7e]{1,64}$/)
    .default('unknown')
    .describe(
      'POIID of the terminal, as its vendor shows it: V400m-123456789. Without it the first request names none, and its answer tells it, where the terminal answers then.',
    ),
  sale_id: z
    .string()
    .regex(/^[A-Za-z0-9._-]{1,32}$/)
    .optional()
    .describe(
      'SaleID of this till; no other till may use it at the same terminal. Default: from the id of the device.',
    ),
  path: httpPath('/nexo'),
  customer_ms: customerMs(120_000, 'Longest wait for the response to a payment, ms.'),
  security: z
    .strictObject({
      key_identifier: z.string().min(1).max(64),
      key_version: z.int().min(0).max(9999),
      passphrase: z.string().min(1).max(200),
    })
    .optional()
    .describe('Encrypts the messages with the shared key of the terminal; "passphrase": "credential:NAME".'),
  login: z.boolean().default(false).describe('The terminal asks for a Login before anything else.'),
  end_of_day: z.boolean().default(true).describe('The terminal knows Reconciliation.'),
  totals: z.boolean().default(true).describe('The terminal knows GetTotals.'),
  void: z
    .enum(['any', 'none'])
    .default('any')
    .describe('none: the terminal knows no Reversal; sales are given back by a refund.'),
});

export type Settings = z.output<typeof options>;

/** The capabilities of a device with these options. */
export function capabilitiesOf(settings: Settings): Capabilities {
  return {
    ...capabilities,
    void: settings.void,
    endOfDay: settings.end_of_day,
    totalsWithoutPaper: settings.totals,
  };
}
