import { isJsonObject, type Json, type SourceReply } from '../../../src/driver-kit/provider.ts';
import type { Shown } from './pages.ts';

/** Names of a number that counts the whole list, in small letters, without signs between the words. */
const TOTALS =
  /^(x(wp)?)?(total|records?|items?|results?)?(total|count|hits|records|items|results|elements|entries|rows)$/;
const DEEPEST = 4;

/** A number of the answer that counts the whole list, and where it is. */
interface NamedTotal {
  readonly place: string;
  readonly total: number;
}

/** The largest number of an answer whose name says that it counts the whole list; null: there is none. Lists are not looked into. */
function namedTotal(body: Json, { headers }: SourceReply): NamedTotal | null {
  const found = [...totalsIn(body, ''), ...totalsIn({ ...headers }, 'the header ')];
  return found.reduce<NamedTotal | null>(
    (most, one) => (most !== null && most.total >= one.total ? most : one),
    null,
  );
}

/** What a person must know of a list that ended with its first page, although the answer names more. */
export function missingWords({ body, reply, count }: Omit<Shown, 'lastId'>): { readonly cutOff?: string } {
  const named = namedTotal(body, reply);
  if (named === null || named.total <= count) return {};
  return {
    cutOff: `the answer says that there are ${named.total} (${named.place}), and by this recipe the list ends after ${count}: the others are never read. "page" must say how they are asked for`,
  };
}

function totalsIn(value: Json, before: string, depth = 0): readonly NamedTotal[] {
  if (!isJsonObject(value) || depth > DEEPEST) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const place = `${before}${name}`;
    if (isJsonObject(inner)) return totalsIn(inner, `${place}.`, depth + 1);
    const number = typeof inner === 'string' && /^\d{1,15}$/.test(inner) ? Number(inner) : inner;
    const isTotal = TOTALS.test(name.toLowerCase().replaceAll(/[^a-z]/g, ''));
    return isTotal && Number.isSafeInteger(number) ? [{ place, total: Number(number) }] : [];
  });
}
