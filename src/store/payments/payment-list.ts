import { z } from 'zod';
import type { Page } from '../../base/page.ts';
import type { Attempt } from '../../payment/attempt/attempt.ts';
import type { AttemptFilter } from '../../payment/payments.ts';
import { attemptOf } from '../attempts/attempt-row.ts';
import type { OlderIdForms } from '../backfill/older-id-forms.ts';
import type { Database } from '../database.ts';
import { listQuery, placeQuery } from './payment-statements.ts';

const Seq = z.object({ seq: z.int() });
const Place = z.object({ offset: z.int(), total: z.int() });

/** Pages of payments by what their index knows; by all else they are found in `search/`. */
export class PaymentList {
  readonly #database: Database;
  readonly #olderIds: OlderIdForms;

  constructor(database: Database, olderIds: OlderIdForms) {
    this.#database = database;
    this.#olderIds = olderIds;
  }

  page(filter: AttemptFilter): Page<Attempt> {
    const { newerFirst } = listQuery(filter);
    const found = this.#olderIds.rowsOfDevice(filter.deviceId, (deviceId) => {
      const { sql, values } = listQuery(deviceId === undefined ? filter : { ...filter, deviceId });
      return this.#database.all(sql, ...values, filter.limit + 1);
    });
    const rows = newerFirst ? found.toReversed() : found;
    const page = rows.slice(0, filter.limit);
    const shown = newerFirst ? page : page.toReversed();
    const place = filter.isCounted === true ? { place: this.#placeOf(filter, shown[0]) } : {};
    return { items: shown.map(attemptOf), hasMore: rows.length > filter.limit, ...place };
  }

  #placeOf(filter: AttemptFilter, first: unknown): NonNullable<Page<Attempt>['place']> {
    const firstSeq = first === undefined ? null : Seq.parse(first).seq;
    const older = filter.deviceId === undefined ? [] : this.#olderIds.ofDevice(filter.deviceId);
    const filters = [filter, ...older.map((deviceId) => ({ ...filter, deviceId }))];
    const counts = filters.map((one) => {
      const { sql, values } = placeQuery(one, firstSeq);
      return Place.parse(this.#database.get(sql, ...values));
    });
    const sum = (name: 'offset' | 'total') => counts.reduce((all, count) => all + count[name], 0);
    return { offset: sum('offset'), total: sum('total') };
  }
}
