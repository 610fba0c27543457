import { z } from 'zod';
import { canonicalId } from '../../base/ids.ts';
import type { Database } from '../database.ts';
import { isIdBackfillPending } from './id-backfill.ts';

const HAS_INVOICE = `SELECT 1 FROM attempts INDEXED BY attempts_by_invoice
  WHERE invoice_id >= CAST(? AS TEXT) AND invoice_id < CAST(? AS TEXT) LIMIT 1`;
const INVOICES = `SELECT DISTINCT invoice_id AS id FROM attempts INDEXED BY attempts_by_invoice
  WHERE invoice_id >= CAST(? AS TEXT) AND invoice_id < CAST(? AS TEXT)`;
const HAS_ALIAS =
  'SELECT 1 FROM aliases WHERE service_id >= CAST(? AS TEXT) AND service_id < CAST(? AS TEXT) LIMIT 1';
const ALIASES =
  'SELECT service_id AS id FROM aliases WHERE service_id >= CAST(? AS TEXT) AND service_id < CAST(? AS TEXT)';
const NEXT_DEVICE = `SELECT device_id AS id FROM attempts INDEXED BY attempts_by_device
  WHERE device_id > CAST(? AS TEXT) ORDER BY device_id LIMIT 1`;

const Row = z.object({ id: z.string() });
const Seq = z.object({ seq: z.int() });
/** Sorts after every text that begins with the same letters. */
const LAST = '\u{10ffff}';
/** Sorts after a blank, and before every letter of a UUID. */
const BEHIND_BLANKS = '!';

/**
 * Finds the other forms of an id in payments of an older release: in capitals, or with blanks around it.
 * Why: the guards find such a payment before `IdBackfill` has reached it. A lookup takes two index seeks for each letter of the id.
 *
 * INVARIANTS:
 * - the results are forms that rows hold, never the canonical one;
 * - once the backfill is finished nothing is searched: new rows hold canonical ids only.
 */
export class OlderIdForms {
  readonly #database: Database;
  #isPending: boolean;

  constructor(database: Database) {
    this.#database = database;
    this.#isPending = isIdBackfillPending(database);
  }

  ofInvoice(id: string): readonly string[] {
    return this.#formsOf(id, HAS_INVOICE, INVOICES);
  }

  ofServiceId(id: string): readonly string[] {
    return this.#formsOf(id, HAS_ALIAS, ALIASES);
  }

  ofDevice(id: string): readonly string[] {
    if (!this.#mayHave(id)) return [];
    const forms: string[] = [];
    for (let form = this.#nextDevice(''); form !== null; form = this.#nextDevice(form)) {
      if (form !== id && canonicalId(form) === id) forms.push(form);
    }
    return forms;
  }

  /** Rows of a device under each form of its id, oldest first; undefined: of all devices. */
  rowsOfDevice<D extends string | undefined>(
    deviceId: D,
    ask: (form: D | string) => readonly unknown[],
  ): readonly unknown[] {
    const older = deviceId === undefined ? [] : this.ofDevice(deviceId);
    return inOrder([deviceId, ...older].map(ask));
  }

  #mayHave(id: string): boolean {
    this.#isPending &&= isIdBackfillPending(this.#database);
    return this.#isPending && canonicalId(id.toUpperCase()) === id;
  }

  #formsOf(id: string, has: string, list: string): readonly string[] {
    if (!this.#mayHave(id)) return [];
    const rowBegins = (start: string) => this.#database.get(has, start, start + LAST) !== undefined;
    let starts = [''];
    for (let blanks = ' '; rowBegins(blanks); blanks += ' ') starts.push(blanks);
    for (const letter of id) {
      const capital = letter.toUpperCase();
      const longer = starts.flatMap((start) =>
        capital === letter ? [start + letter] : [start + letter, start + capital],
      );
      starts = capital === letter ? longer : longer.filter(rowBegins);
    }
    const forms = starts.flatMap((form) => this.#database.all(list, form, form + BEHIND_BLANKS));
    return forms.map((row) => Row.parse(row).id).filter((form) => form !== id);
  }

  #nextDevice(behind: string): string | null {
    const row = this.#database.get(NEXT_DEVICE, behind);
    return row === undefined ? null : Row.parse(row).id;
  }
}

/** Rows of one query that ran for several forms of an id: each once, oldest first. */
export function inOrder(answers: readonly (readonly unknown[])[]): readonly unknown[] {
  const bySeq = new Map(answers.flat().map((row) => [Seq.parse(row).seq, row]));
  return [...bySeq].toSorted(([one], [other]) => one - other).map(([, row]) => row);
}
