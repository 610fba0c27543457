import { type Capabilities, goesOnFor, z } from '../../../src/driver-kit/terminal.ts';

/**
 * What such a terminal can do; whatever is not here is refused before anything is sent.
 * `commitPoint`: the protocol shows nothing behind our acknowledgement, and its list keeps an approval that nobody acknowledged.
 * `totalsWithoutPaper`: 0700 prints; sums of the list would be the same evidence once more, not a second witness.
 */
export const capabilities: Capabilities = {
  refund: false,
  void: 'any',
  voidNeedsCard: false,
  preauthorisation: false,
  abort: false,
  recover: 'by_reference',
  commitPoint: 'received',
  settleMs: 20_000,
  goesOnMs: 180_000,
  endOfDay: true,
  totalsWithoutPaper: false,
  identity: 'tid',
};

/** Pesos: what the maker's libraries let pass. */
export const LEAST_MINOR = 50;
export const MOST_MINOR = 999_999_999;

/** How long the bank may take behind the customer's last act, ms; the answer time of the maker's libraries (150 s) contains the customer's. */
const TAIL_MS = 60_000;

/** The schema of a device's `options`. */
export const options = z.strictObject({
  customer_ms: z
    .int()
    .min(150_000)
    .max(900_000)
    .default(180_000)
    .describe('Longest silence of the terminal inside a payment or a void, ms.'),
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

/** What a device with these options can do. */
export function capabilitiesOf(settings: Settings): Capabilities {
  const goesOnMs = goesOnFor(capabilities, settings.customer_ms, TAIL_MS);
  return { ...capabilities, goesOnMs, void: settings.void };
}
