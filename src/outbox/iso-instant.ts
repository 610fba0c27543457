import { invariant } from '../base/invariant.ts';

const DAY_MS = 86_400_000;
/** The last millisecond of the year 9999: ISO 8601 with four digits ends there. */
const LAST_MS = 253_402_300_799_999;

/**
 * Epoch milliseconds as `2026-01-05T09:00:00.000Z`.
 * @throws INVARIANT_BROKEN for anything but a whole number within 1970–9999.
 */
export function isoInstant(ms: number): string {
  invariant(Number.isInteger(ms) && ms >= 0 && ms <= LAST_MS, 'an instant is epoch milliseconds', { ms });
  const [year, month, day] = civilDate(Math.floor(ms / DAY_MS));
  const time = ms % DAY_MS;
  const clock = [time / 3_600_000, (time / 60_000) % 60, (time / 1000) % 60].map((part) =>
    pad(Math.floor(part), 2),
  );
  return `${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}T${clock.join(':')}.${pad(time % 1000, 3)}Z`;
}

/** Days since 1970-01-01 as a Gregorian date: eras of 400 years that begin on 1 March. */
function civilDate(days: number): readonly [year: number, month: number, day: number] {
  const shifted = days + 719_468;
  const era = Math.floor(shifted / 146_097);
  const dayOfEra = shifted - era * 146_097;
  const leapDays =
    Math.floor(dayOfEra / 1460) - Math.floor(dayOfEra / 36_524) + Math.floor(dayOfEra / 146_096);
  const yearOfEra = Math.floor((dayOfEra - leapDays) / 365);
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const marchMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const day = dayOfYear - Math.floor((153 * marchMonth + 2) / 5) + 1;
  const month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9;
  return [yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day];
}

function pad(value: number, width: number): string {
  return String(value).padStart(width, '0');
}
