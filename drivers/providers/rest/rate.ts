import type { SourceReply } from '../../../src/driver-kit/provider.ts';
import type { Recipe } from './recipe.ts';

/** No source may silence us for longer with one header, ms. */
const LONGEST_MS = 3_600_000;

/** How long the source wants to be left alone by its rate headers, ms; null: it has nothing against the next request. */
export function quietMs(rate: Recipe['rate'], reply: SourceReply, nowMs: number): number | null {
  const remaining = numberIn(reply, rate.remaining);
  const spent = reply.status === 429 || (remaining !== null && remaining <= 0);
  const reset = numberIn(reply, rate.reset);
  if (!spent || reset === null) return null;
  const wait =
    rate.resetIs === 'seconds' ? reset * 1_000 : reset * (rate.resetIs === 'unix_s' ? 1_000 : 1) - nowMs;
  return Math.min(Math.max(Math.ceil(wait), 0), LONGEST_MS);
}

function numberIn({ headers }: SourceReply, name: string | undefined): number | null {
  const text = name === undefined ? undefined : headers[name.toLowerCase()];
  return text !== undefined && /^\d{1,15}(\.\d+)?$/.test(text.trim()) ? Number(text) : null;
}
