import { z } from 'zod';
import { Uuid } from './primitives.ts';
import { PaymentStatus } from './terminal-payment.ts';

export const ErrorType = z.enum([
  'invalid_request_error',
  'authentication_error',
  'authorization_error',
  'card_error',
  'rate_limit_error',
  'idempotency_error',
  'api_error',
]);
export type ErrorType = z.infer<typeof ErrorType>;

/** What a program can use of an error, beside its code. Which fields there are depends on the code; each example shows those of its own. */
export const ErrorDetails = z
  .looseObject({
    payment_id: Uuid.optional().describe('The payment that the error is about: GET it.'),
    status: PaymentStatus.optional().describe('The status of that payment, when it was refused.'),
    in_doubt: z
      .boolean()
      .optional()
      .describe('It is not known yet whether that payment moved money: do not charge again.'),
    type: z.enum(['sale', 'refund', 'void']).optional().describe('The type of that payment.'),
    in_doubt_attempt_id: Uuid.optional().describe('The payment that the terminal has not finished.'),
    service_payment_id: z
      .string()
      .optional()
      .describe("The service's id of a payment of the same invoice that another till takes or took."),
    invoice_id: Uuid.optional(),
    task_id: Uuid.nullable().optional().describe('What a person must do first; null: nothing, wait.'),
    device_id: Uuid.optional(),
    device_status: z
      .string()
      .optional()
      .describe('The status of the device: offline, recovering, wrong_terminal, … An open set.'),
    what_to_do: z.string().optional().describe('The next step, in words; it may name a command.'),
    instead: z
      .string()
      .optional()
      .describe('What works instead: `refund`, `void`, or `at the terminal by hand`.'),
    amount_due_minor: z
      .int()
      .optional()
      .describe('What is due of the invoice, in minor units: so much may be taken.'),
    entitlement: z.string().optional().describe('The key of the benefit that the sale needs.'),
    customer_id: z.string().optional(),
    fresh_at: z
      .string()
      .nullable()
      .optional()
      .describe('Until when the mirrored entitlements are complete; null: they never were.'),
    refundable_minor: z
      .int()
      .optional()
      .describe('What is left to give back of the payment, in minor units.'),
    accepted: z.string().optional().describe('The currency that the device takes.'),
    currency: z.string().optional().describe('The currency of the invoice.'),
    min: z.int().optional().describe('The smallest amount that the device takes, in minor units.'),
    max: z.int().optional().describe('The largest amount that the device takes, in minor units.'),
    issues: z
      .array(z.object({ path: z.string(), message: z.string() }))
      .optional()
      .describe('Every fault of the request, each with the dotted path of its field; at most 20.'),
    required: z.array(z.string()).optional().describe('The scopes (or the role) that are missing.'),
    retry_after: z.int().optional().describe('Seconds to wait, as in Retry-After.'),
    reason: z
      .string()
      .nullable()
      .optional()
      .describe('Why the terminal or the disk is not ready; null: it does not say.'),
    max_bytes: z.int().optional().describe('The largest body.'),
    most: z.int().optional().describe('The most that there may be.'),
    done_by: z.string().optional().describe('The person who finished the task.'),
    key_status: z.string().optional(),
    report_status: z.string().optional(),
    endpoint_id: Uuid.optional(),
    endpoint_status: z.string().optional(),
    provider: z.string().optional(),
    managed_by: z.string().optional().describe('Who sets this integration: `service`.'),
    configured: z.boolean().optional().describe('False: no connector serves this integration.'),
    cause: z.string().optional().describe('What failed at the provider.'),
    list: z.string().optional().describe('The list that is not mirrored.'),
  })
  .describe(
    'What a program can use of an error. The fields depend on the code: each example shows its own. More may come.',
  );

/** The envelope of every error response except the flat ones and the lists of issues. Branch on `code`. */
export const ErrorEnvelope = z.object({
  error: z.object({
    type: ErrorType,
    code: z
      .string()
      .describe(
        'Stable: branch on it. The example of each code says whether money may have moved, whether and with which Idempotency-Key to try again, and what to show.',
      ),
    message: z.string().describe('For people: what happened, what it means for the money, what to do now.'),
    param: z.string().optional().describe('The dotted path of the field at fault.'),
    details: ErrorDetails.optional(),
    request_id: z
      .string()
      .optional()
      .describe('Names this request in the log of tilld, as X-Request-Id does.'),
    doc_url: z.string().optional().describe('Reserved; never sent.'),
  }),
});
export type ErrorEnvelope = z.infer<typeof ErrorEnvelope>;

/** The flat shape of idempotency errors. */
export const IdempotencyError = z.object({
  error: z.string(),
  code: z.enum(['IDEMPOTENCY_KEY_IN_PROGRESS', 'IDEMPOTENCY_KEY_MISMATCH', 'IDEMPOTENCY_KEY_INVALID']),
  originalRequestId: z
    .string()
    .describe('The request that used the key first; of a key in no valid form, this request.'),
});
export type IdempotencyError = z.infer<typeof IdempotencyError>;

/** The flat shape of an unknown route, and of some look-ups. */
export const FlatError = z.object({ error: z.string(), request_id: z.string().optional() });
export type FlatError = z.infer<typeof FlatError>;
