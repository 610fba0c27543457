import { type JsonMeaning, malformed, z } from '../../../src/driver-kit/terminal.ts';

/** A request: `{"id":"A00001","do":"sale","amount":"12.34","currency":"EUR"}`. A sale's id is its reference. */
export interface Request {
  /** The response repeats it. */
  readonly id: string;
  readonly do: 'status' | 'sale' | 'find' | 'last';
  readonly amount?: string;
  readonly currency?: string;
  readonly reference?: string;
}

/** One sale as the terminal reports it. */
const result = z.object({
  /** Our id of it; empty for a sale that staff typed at the terminal. */
  reference: z.string().max(64),
  /** `00` approved; see result-codes.ts. */
  code: z.string().regex(/^\d{2}$/),
  /** Four digits; the terminal numbers its transactions. */
  number: z.string().regex(/^\d{4}$/),
  amount: z.string().max(24),
  auth_code: z.string().max(12),
  /** Masked by the terminal: `512345******2346`. */
  card: z.string().max(24),
  /** It was approved, then reversed. */
  reversed: z.boolean(),
});
export type Result = z.output<typeof result>;

/**
 * A response. `result` null: the terminal has none. `refused`: nothing began. `running`: the customer of that sale still pays. What money depends on
 * is read strictly: where one field of it is not as it should be, nothing is read.
 */
export const response = z.object({
  id: z.string().max(64),
  serial: z
    .string()
    .regex(/^[0-9A-F]{8}$/)
    .optional(),
  terminal_id: z
    .string()
    .regex(/^\d{8}$/)
    .optional(),
  busy: z.boolean().optional(),
  refused: z.enum(['busy', 'known', 'unreadable']).optional(),
  running: z.boolean().optional(),
  result: result.nullable().optional(),
});
export type Response = z.output<typeof response>;

/** For the transcript. */
export const meaningOf: JsonMeaning = (document) => {
  const { id, do: wanted, ...fields } = document;
  if (typeof id !== 'string') throw malformed(0, 'the message has no id');
  if (wanted === undefined) return { kind: 'response', name: 'Response', fields: { id, ...fields } };
  return { kind: 'request', name: `Request ${String(wanted)}`, fields: { id, ...fields } };
};
