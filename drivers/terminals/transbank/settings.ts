import { type Capabilities, customerMs, goesOnFor, z } from '../../../src/driver-kit/terminal.ts';

/**
 * What the terminal supports; the core refuses everything else before it sends anything.
 * `commitPoint`: no message follows our acknowledgement, and the terminal's list keeps an unacknowledged approval.
 * `totalsWithoutPaper`: 0700 prints; sums of the list would be the same evidence again, not independent evidence.
 */
export const capabilities: Capabilities = {
  refund: false,
  void: 'any',
  voidNeedsCard: false,
  tip: false,
  abort: false,
  recover: 'by_reference',
  commitPoint: 'received',
  settleMs: 20_000,
  goesOnMs: 180_000,
  endOfDay: true,
  totalsWithoutPaper: false,
  identity: 'tid',
};

/** Pesos: the minimum of the maker's libraries. */
export const LEAST_MINOR = 50;
export const MOST_MINOR = 999_999_999;

/** How long the bank may take after the customer's last action, ms; the answer time of the maker's libraries (150 s) includes the customer's. */
const TAIL_MS = 60_000;

/** The schema of a device's `options`. */
export const options = z.strictObject({
  customer_ms: customerMs(150_000, 'Longest silence of the terminal inside a payment or a void, ms.'),
  close_ms: z
    .int()
    .min(60_000)
    .max(900_000)
    .default(300_000)
    .describe('Longest that an end of day, or the loading of keys, takes, ms.'),
  void: z
    .enum(['any', 'none'])
    .default('any')
    .describe('none: voids are not allowed on this terminal; sales are undone by the acquirer.'),
  load_keys: z
    .boolean()
    .default(true)
    .describe('Load keys (0800) once when the terminal asks for it (26); false: a person does it.'),
});

export type Settings = z.output<typeof options>;

/** The capabilities of a device with these options. */
export function capabilitiesOf(settings: Settings): Capabilities {
  const goesOnMs = goesOnFor(capabilities, settings.customer_ms, TAIL_MS);
  return { ...capabilities, goesOnMs, void: settings.void };
}
