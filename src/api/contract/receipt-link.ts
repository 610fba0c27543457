import { z } from 'zod';
import { Timestamp } from './primitives.ts';

/** The address at which the customer's phone opens a receipt. */
export const ReceiptLink = z.object({
  url: z.string().describe('It needs no sign-in: show it to the customer alone, as a QR code.'),
  expires_at: Timestamp,
  certificate: z
    .enum(['shop', 'configured'])
    .describe(
      "`shop`: of the shop's own authority, which a customer's phone does not know and warns of; `configured`: of the section `tls` of the configuration.",
    ),
});
export type ReceiptLink = z.infer<typeof ReceiptLink>;
