import type { SourceRecord } from '../connector.ts';
import type { Mapped } from '../ports.ts';
import { fitted, metadataOf, spoken, textIn, Unfit } from './fields.ts';
import type { MappingRules } from './mapping-rules.ts';

const NAMED = ['email', 'name', 'phone', 'company_name'] as const;
const LONGEST = { email: 254, name: 256, phone: 64, company_name: 256 } as const;

/** A customer for `PUT /customers/external/batch`; the service keeps every field that the source does not send. */
export function mapCustomer({ provider }: Pick<MappingRules, 'provider'>, record: SourceRecord): Mapped {
  return fitted(() => {
    const { fields } = record;
    const known = spoken(
      Object.fromEntries(NAMED.map((name) => [name, textIn(fields, name, LONGEST[name])])),
    );
    if (NAMED.every((name) => (known[name] ?? null) === null))
      throw new Unfit('it has neither name nor email, phone or company: nothing says who it is');
    return { kind: 'write', body: { ...known, metadata: metadataOf(provider, record, NAMED) } };
  });
}
