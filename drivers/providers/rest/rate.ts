import type { SourceReply } from '../../../src/driver-kit/provider.ts';
import type { Recipe } from './recipe.ts';

/** The longest pause that one header of a source can cause, ms. */
const LONGEST_MS = 3_600_000;

/** The pause that the rate headers of a 429 ask for, ms; null: they ask for none. */
export function quietMs(rate: Recipe['rate'], reply: SourceReply, nowMs: number): number | null {
  const reset = numberIn(reply, rate.reset);
  if (reply.status !== 429 || reset === null) return null;
  const wait =
    rate.resetIs === 'seconds' ? reset * 1_000 : reset * (rate.resetIs === 'unix_s' ? 1_000 : 1) - nowMs;
  return Math.min(Math.max(Math.ceil(wait), 0), LONGEST_MS);
}

function numberIn({ headers }: SourceReply, name: string | undefined): number | null {
  const text = name === undefined ? undefined : headers[name.toLowerCase()];
  return text !== undefined && /^\d{1,15}(\.\d+)?$/.test(text.trim()) ? Number(text) : null;
}
