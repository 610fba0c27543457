import { moments, numbers } from './formatters.js';

const DAY_MS = 86_400_000;

/**
 * A time for people at a till: the time alone today, else with the date.
 * @param {string | null} instant ISO 8601
 * @param {number} now epoch ms
 */
export function formatMoment(instant, now) {
  if (instant === null) return '';
  const at = new Date(instant);
  const days = moments({ dateStyle: 'short' });
  const isToday = days.format(at) === days.format(now);
  /** @type {Intl.DateTimeFormatOptions} */
  const options = isToday ? { timeStyle: 'short' } : { dateStyle: 'medium', timeStyle: 'short' };
  return moments(options).format(at);
}

/**
 * The age: `12 seconds`, `3 minutes`, `2 hours`, `5 days`, in the language of the page. No short form: it ends with a full stop in German.
 * @param {string | number} since ISO 8601 or epoch ms
 * @param {number} now epoch ms
 */
export function formatAge(since, now) {
  const ms = Math.max(0, now - (typeof since === 'number' ? since : Date.parse(since)));
  if (ms < 60_000) return unit(Math.floor(ms / 1_000), 'second');
  if (ms < 3_600_000) return unit(Math.floor(ms / 60_000), 'minute');
  if (ms < 2 * DAY_MS) return unit(Math.floor(ms / 3_600_000), 'hour');
  return unit(Math.floor(ms / DAY_MS), 'day');
}

/**
 * A number of seconds with its unit: `1.5 seconds`, `1,5 Sekunden`.
 * @param {number} ms
 */
export function formatSeconds(ms) {
  const options = { style: 'unit', unit: 'second', unitDisplay: 'long', maximumFractionDigits: 1 };
  return numbers(/** @type {Intl.NumberFormatOptions} */ (options)).format(ms / 1_000);
}

/**
 * @param {number} value
 * @param {'second' | 'minute' | 'hour' | 'day'} name
 */
function unit(value, name) {
  return numbers({ style: 'unit', unit: name, unitDisplay: 'long' }).format(value);
}
