/** Event types an endpoint may subscribe to: the interface's list, plus refunds and voids by analogy. */
export const EVENT_TYPES: ReadonlySet<string> = new Set([
  ...typed('payment', 'succeeded failed'),
  ...typed('invoice', 'created paid overdue'),
  ...typed('subscription', 'created activated canceled cancelled renewed paused'),
  ...typed('customer', 'created updated'),
  ...typed('refund', 'created succeeded'),
  ...typed('void', 'created succeeded failed'),
  ...typed('credit_note', 'created issued voided'),
  ...typed('checkout.session', 'completed expired'),
  ...typed('order', 'created paid fulfilled'),
  ...typed('terminal_payment', 'requested succeeded declined cancelled error'),
  ...typed('terminal_refund', 'succeeded declined cancelled error'),
  ...typed('terminal_void', 'succeeded declined cancelled error'),
  ...typed('usage', 'threshold.reached period_finalized invoice.created cap.exceeded'),
  ...typed('usage.event', 'ingested rejected excluded quarantined'),
  ...typed('meter', 'created updated archived'),
  ...typed('meter_price', 'created updated deactivated'),
  ...typed('mandate', 'signed created activated auddis_rejected suspended cancelled'),
  ...typed('collection', 'scheduled notice_sent succeeded failed indemnity_claimed'),
  ...typed('settlement', 'created'),
  ...typed('entitlement', 'revoked'),
]);

function typed(resource: string, happenings: string): readonly string[] {
  return happenings.split(' ').map((happening) => `${resource}.${happening}`);
}
