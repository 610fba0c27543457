import { AppError } from '../base/errors.ts';
import { canonicalId, isUuid } from '../base/ids.ts';

/** Path of one endpoint or delivery. @throws USAGE when the id is no UUID. */
export function webhookPath(kind: 'endpoints' | 'deliveries', id: string): string {
  if (isUuid(id)) return `/v2/webhook-${kind}/${canonicalId(id)}`;
  const list = kind === 'endpoints' ? 'list' : 'deliveries';
  throw new AppError('USAGE', `the id is a UUID: \`tillctl webhooks ${list}\` lists them`);
}
