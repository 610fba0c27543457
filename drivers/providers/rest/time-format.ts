import { Temporal } from 'temporal-polyfill';
import { earliestWall, instantOfWall, latestWall } from './zones.ts';

/**
 * How a source writes an instant:
 * `iso` 2026-03-29T01:30:00Z, with an offset, or without any (then the zone counts) · `iso_local` the same, always in the zone ·
 * `sql` 2026-03-29 01:30:00, always in the zone ·
 * `unix_s`, `unix_ms` a number or digits · `date` 2026-03-29, the start of that day in the zone.
 */
export const TIME_FORMATS = ['iso', 'iso_ms', 'iso_local', 'sql', 'unix_s', 'unix_ms', 'date'] as const;
export type TimeFormat = (typeof TIME_FORMATS)[number];

/** The zone of times without one, and the source's clock. */
export interface TimeRule {
  readonly zone: string | null;
  readonly nowMs: number;
}

/** An instant in ms since the epoch, or the error text. */
export type ReadTime = { readonly ms: number } | { readonly problem: string };

/** 9999-12-31: a later value means "never" and is not a time. */
const LATEST_MS = 253_402_300_799_999;
const UNIT_MS = {
  iso: 1_000,
  iso_ms: 1,
  iso_local: 1_000,
  sql: 1_000,
  unix_s: 1_000,
  unix_ms: 1,
  date: 86_400_000,
} as const;

/** Reads an instant of a record. */
export function readTime(value: unknown, format: TimeFormat, rule: TimeRule): ReadTime {
  if (format === 'unix_s' || format === 'unix_ms') return ofNumber(value, format === 'unix_s' ? 1_000 : 1);
  if (typeof value !== 'string' || value.length > 64) return { problem: 'it is no text with a time' };
  const text = value.trim();
  try {
    if (format === 'date') return ofWall(Temporal.PlainDate.from(text).toPlainDateTime(), rule);
    if (
      format !== 'iso_local' &&
      format !== 'sql' &&
      /(?:[zZ]|[+-]\d{2}(?::?\d{2})?)$/.test(text) &&
      /[tT ]/.test(text)
    ) {
      return within(Temporal.Instant.from(text).epochMilliseconds);
    }
    if (!/\d[tT ]\d/.test(text)) return { problem: `"${text}" has no time of day` };
    return ofWall(Temporal.PlainDateTime.from(text), rule);
  } catch {
    return { problem: `"${text}" is no time in the format ${format}` };
  }
}

/**
 * A bound of a window in the source's format, never narrower than requested: `from` is rounded down, `until` up. Where the clocks of
 * the zone were put back inside the window, an hour occurs twice on the wall clock, and the bound covers both.
 */
export function formatBound(
  side: 'from' | 'until',
  window: { readonly from: number; readonly to: number },
  format: TimeFormat,
  exclusive: boolean,
  zone: string | null,
): string {
  const unit = UNIT_MS[format];
  const moved = exclusive ? (side === 'from' ? -unit : unit) : 0;
  const ms = (side === 'from' ? Math.floor(window.from / unit) : Math.ceil(window.to / unit)) * unit + moved;
  if (format === 'unix_ms') return String(ms);
  if (format === 'unix_s') return String(ms / 1_000);
  if (format === 'iso' || format === 'iso_ms') {
    const digits = format === 'iso' ? 0 : 3;
    return Temporal.Instant.fromEpochMilliseconds(ms).toString({ fractionalSecondDigits: digits });
  }
  const days = format === 'date';
  const exact = days ? { from: window.from, to: window.to } : { from: ms, to: ms };
  const span = side === 'from' ? { from: exact.from, to: window.to } : { from: window.from, to: exact.to };
  const wall = side === 'from' ? earliestWall(span, zone ?? 'UTC') : latestWall(span, zone ?? 'UTC');
  if (!days) return localText(wall, format);
  return wall
    .toPlainDate()
    .add({ days: exclusive ? (side === 'from' ? -1 : 1) : 0 })
    .toString();
}

function localText(wall: Temporal.PlainDateTime, format: TimeFormat): string {
  const text = wall.toString({ fractionalSecondDigits: 0 });
  return format === 'sql' ? text.replace('T', ' ') : text;
}

function ofNumber(value: unknown, unitMs: number): ReadTime {
  const digits =
    typeof value === 'string' && /^\d{1,16}(\.\d{1,6})?$/.test(value.trim()) ? Number(value) : value;
  if (typeof digits !== 'number' || !Number.isFinite(digits)) return { problem: 'it is no number' };
  return within(Math.floor(digits * unitMs));
}

function ofWall(wall: Temporal.PlainDateTime, { zone, nowMs }: TimeRule): ReadTime {
  if (zone === null) return { problem: `"${wall.toString()}" names no time zone, and the recipe has none` };
  return within(instantOfWall(wall, zone, nowMs));
}

function within(ms: number): ReadTime {
  return ms >= 0 && ms <= LATEST_MS ? { ms } : { problem: 'it lies before 1970 or after 9999' };
}
