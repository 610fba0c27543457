/** Days begin at whole quarters of an hour in every zone. */
const QUARTER_MS = 900_000;

/** The days of the shop, by its time zone: asking the browser for each of 100,000 payments would take a second. */
export class ShopDays {
  zone;
  #format;
  /** @type {Map<number, string>} */
  #known = new Map();

  /** @param {string | undefined} zone like `Europe/Berlin`; undefined: that of this screen */
  constructor(zone) {
    this.zone = zone;
    this.#format = new Intl.DateTimeFormat('en-CA', {
      timeZone: zone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
    });
  }

  /** The day of an instant, `YYYY-MM-DD`. @param {string | number} instant ISO 8601 or epoch ms */
  dayOf(instant) {
    const at = typeof instant === 'number' ? instant : Date.parse(instant);
    const quarter = Math.floor(at / QUARTER_MS);
    const known = this.#known.get(quarter);
    if (known !== undefined) return known;
    const day = this.#format.format(at);
    this.#known.set(quarter, day);
    return day;
  }
}

/** The row of a day's heading among the ids of payments. */
export const DAY = 'day:';

/**
 * Ids of payments, newest first, with a row above the payments of each day. Called again with a longer list, it adds the rows of what is new at its end.
 * @param {(id: string) => string | undefined} dayOf the day of a payment
 */
export function dayRows(dayOf) {
  /** @type {readonly string[]} */
  let before = [];
  /** @type {readonly string[]} */
  let rows = [];
  return (/** @type {readonly string[]} */ ids) => {
    if (ids === before) return rows;
    const last = before.length - 1;
    const isLonger = last >= 0 && ids[0] === before[0] && ids[last] === before[last];
    const next = isLonger ? [...rows] : [];
    let day = isLonger ? dayOf(before[last] ?? '') : undefined;
    for (let at = isLonger ? before.length : 0; at < ids.length; at += 1) {
      const id = ids[at] ?? '';
      const own = dayOf(id) ?? day;
      if (own !== undefined && own !== day) next.push(`${DAY}${own}`);
      day = own;
      next.push(id);
    }
    before = ids;
    rows = next;
    return rows;
  };
}
