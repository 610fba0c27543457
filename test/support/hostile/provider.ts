import { AppError } from '../../../src/base/errors.ts';
import type {
  BadRecord,
  Connector,
  SourcePage,
  SourceRecord,
  SyncWindow,
} from '../../../src/integration/connector.ts';
import type { Random } from '../../simulation/random.ts';
import { manifestOf, type Shape } from './shape.ts';
import { Table, type TrueRow } from './table.ts';
import { Veil } from './veil.ts';

/** How often it does what, per request. */
export interface Mischief {
  readonly rateLimit: number;
  readonly longRateLimit: number;
  readonly cut: number;
  readonly noJson: number;
  readonly lineDown: number;
  /** 403: the credential may not read this list, for now. */
  readonly forbidden: number;
  /** An old page comes in the place of the one that was asked for, which never comes. */
  readonly repeat: number;
  readonly emptyPage: number;
  /** Per record: one of its fields has a wrong type, this once. */
  readonly wrongType: number;
}

export const PEACE: Mischief = {
  rateLimit: 0,
  longRateLimit: 0,
  cut: 0,
  noJson: 0,
  lineDown: 0,
  forbidden: 0,
  repeat: 0,
  emptyPage: 0,
  wrongType: 0,
};

/** Where a page begins; the connector makes a token of it. */
interface At {
  readonly offset: number;
  /** The last row of the page before, for sources with a cursor of their own. */
  readonly after: TrueRow | null;
  /** Makes each token another one. */
  readonly salt: number;
}

const START: At = { offset: 0, after: null, salt: 0 };

/**
 * A source that does whatever sources do, as a connector: below HTTP, so that a simulation can call it.
 * What it really holds is its `table`.
 */
export class HostileProvider implements Connector {
  readonly table: Table;
  readonly shape: Shape;
  readonly resources;
  mischief: Mischief = PEACE;
  /** Until then every list has another shape than its documentation says; true time. */
  brokenUntil = 0;
  get?: (resource: string, id: string) => Promise<SourceRecord | null>;
  readonly #random: Random;
  readonly #now: () => number;
  #salt = 0;
  readonly #veil: Veil;
  #last: { readonly rows: readonly TrueRow[]; readonly window: SyncWindow } | null = null;

  constructor(shape: Shape, random: Random, now: () => number, resource = 'invoices') {
    this.shape = shape;
    this.resources = [manifestOf(shape, resource)];
    this.table = new Table(shape, random, now);
    this.#random = random;
    this.#now = now;
    this.#veil = new Veil(this.table, random, now);
    if (shape.canGet) this.get = async (_resource, id) => this.#one(id);
  }

  /** Until then, true time, it shows only some rows, about this share of the old ones, and a list of everything ends early; it says nothing of that. */
  hide(until: number, share: number): void {
    this.#veil.drop(until, share);
  }

  test(): Promise<{ readonly valid: boolean; readonly error: string }> {
    return Promise.resolve({ valid: true, error: '' });
  }

  async list(_resource: string, window: SyncWindow, token: string | null): Promise<SourcePage> {
    this.#fail();
    const at = token === null ? START : atOf(token);
    const all = this.#veil.partOf(this.table.list(window), window);
    if (token !== null && this.#random.chance(this.mischief.emptyPage))
      return this.#page([], this.#tokenOf(at));
    const { rows, next } = this.#slice(all, at);
    const shown = this.#repeated(rows, window, token);
    this.#last = { rows, window };
    return this.#page(shown, next);
  }

  #fail(): void {
    const { rateLimit, longRateLimit, cut, noJson, lineDown, forbidden } = this.mischief;
    const random = this.#random;
    if (random.chance(rateLimit)) throw limited(random.int(500, 20_000));
    if (random.chance(longRateLimit)) throw limited(random.pick([120_000, 1_500_000, 3_600_000]));
    if (random.chance(cut)) throw refused('SOURCE_UNAVAILABLE', 'the answer was cut');
    if (random.chance(noJson)) throw refused('SOURCE_MALFORMED', 'no JSON');
    if (random.chance(forbidden)) throw refused('SOURCE_FORBIDDEN', 'the credential may not read invoices');
    if (random.chance(lineDown)) throw refused('SOURCE_LINE_DOWN', 'no way out');
    if (this.#now() < this.brokenUntil) throw refused('SOURCE_MALFORMED', 'no list where the list was');
  }

  #slice(
    all: readonly TrueRow[],
    at: At,
  ): { readonly rows: readonly TrueRow[]; readonly next: string | null } {
    const { style, pageSize, isUnsure } = this.shape;
    if (style === 'whole') return { rows: all, next: null };
    const { after } = at;
    const begin =
      style === 'cursor' && after ? all.findIndex((row) => this.table.isAfter(row, after)) : at.offset;
    const rows = begin < 0 ? [] : all.slice(begin, begin + pageSize);
    // A full page says that there is more, whether or not there is.
    if (rows.length < (isUnsure ? 1 : pageSize)) return { rows, next: null };
    return {
      rows,
      next: this.#tokenOf({ offset: at.offset + rows.length, after: rows.at(-1) ?? null, salt: 0 }),
    };
  }

  #repeated(rows: readonly TrueRow[], window: SyncWindow, token: string | null): readonly TrueRow[] {
    const last = this.#last;
    const isSame = last && last.window.from === window.from && last.window.to === window.to;
    if (!isSame || token === null || this.shape.style === 'cursor') return rows;
    return this.#random.chance(this.mischief.repeat) ? last.rows : rows;
  }

  #page(rows: readonly TrueRow[], next: string | null): SourcePage {
    const records: SourceRecord[] = [];
    const bad: BadRecord[] = [];
    for (const row of rows) {
      if (row.broken || this.#random.chance(this.mischief.wrongType)) bad.push(this.#badOf(row));
      else records.push(recordOf(row));
    }
    const { headerSkewMs } = this.shape;
    return {
      records,
      bad,
      next,
      ...(this.shape.isUnsure && next !== null && rows.length < this.shape.pageSize
        ? { isNextUnsure: true }
        : {}),
      sourceNow: headerSkewMs === null ? null : Math.round(this.#now() + headerSkewMs),
    };
  }

  /** Sometimes not even its id can be read. */
  #badOf({ id, version }: TrueRow): BadRecord {
    const knowsId = this.#random.chance(0.8);
    return {
      id: knowsId ? id : null,
      reason: 'total is no number',
      excerpt: `{"id":"${id}","version":${version}`,
    };
  }

  #one(id: string): SourceRecord | null {
    this.#fail();
    const row = this.table.rows().get(id);
    if (row?.broken) throw refused('SOURCE_MALFORMED', 'total is no number');
    return row ? recordOf(row) : null;
  }

  #tokenOf(at: At): string {
    this.#salt += 1;
    return JSON.stringify({ ...at, salt: this.#salt });
  }
}

/** A row as its source tells it. */
export function recordOf({ id, version, updatedAt, deleted, isTimeless }: TrueRow): SourceRecord {
  return {
    id,
    updatedAt: isTimeless ? null : updatedAt,
    deleted,
    // Nulls, and lists of none and of one, wherever a source may have them.
    fields: {
      number: id,
      version,
      status: version % 3 === 0 ? 'paid' : version % 7 === 0 ? null : 'open',
      customer: version % 5 === 0 ? null : id,
      lines: version % 2 === 0 ? [] : [{ text: null }],
    },
  };
}

/** The tokens are ours. */
function atOf(token: string): At {
  return JSON.parse(token) as At;
}

function limited(retryAfterMs: number): AppError {
  return new AppError('SOURCE_RATE_LIMITED', 'too many requests', {
    retry: 'safe',
    context: { details: { retryAfterMs } },
  });
}

function refused(code: string, message: string): AppError {
  return new AppError(code, message, { retry: 'safe' });
}
