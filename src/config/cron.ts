import { createTask, validateDetailed } from 'node-cron';

/** Times that are looked at, to find out how rare an expression is. */
const LOOKED_AT = 3;
const YEAR_MS = 366 * 86_400_000;
const FIELDS = 5;
const FIELD_NAMES = new Map([
  ['minute', 'minute'],
  ['hour', 'hour'],
  ['dayOfMonth', 'day of the month'],
  ['month', 'month'],
  ['dayOfWeek', 'day of the week'],
]);

/** Why a text is no cron expression that a resource can run by, as a sentence; null: it is one. */
export function cronProblem(expression: string): string | null {
  const fields = expression.trim().split(/\s+/);
  if (!expression.trim().startsWith('@') && fields.length !== FIELDS)
    return `has ${fields.length} fields, and needs ${FIELDS}: minute, hour, day of the month, month, day of the week, as in "0 6 * * 1-5"; there is none for seconds`;
  const { errors } = validateDetailed(expression);
  if (errors.length > 0) return errors.map(({ field, value }) => fieldProblem(field, value)).join('; ');
  if (isRestricted(fields[2]) && isRestricted(fields[4]))
    return 'names a day of the month and a day of the week: programs disagree whether one of them is enough. The first Monday is "1#1" as the day of the week';
  return rarityProblem(expression);
}

/** A name of the time-zone database, like `Europe/Berlin`. */
export function isKnownZone(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).format() !== '';
  } catch {
    return false;
  }
}

function fieldProblem(field: string, value: string | undefined): string {
  const name = FIELD_NAMES.get(field);
  if (name === undefined) return 'is no cron expression';
  if (field === 'dayOfMonth' && /^[\d,]+$/.test(value ?? ''))
    return `never comes: one of its months has no day ${value}`;
  return `has "${value}", which is no ${name}`;
}

function isRestricted(field: string | undefined): boolean {
  return field !== undefined && field !== '*' && field !== '?';
}

function rarityProblem(expression: string): string | null {
  const task = createTask(expression, () => {}, { timezone: 'UTC' });
  try {
    const times = task.getNextRuns(LOOKED_AT).map((date) => date.getTime());
    const isRare = times.slice(1).some((at, index) => at - (times[index] ?? at) > YEAR_MS);
    return isRare ? 'comes less than once a year' : null;
  } catch {
    return 'never comes';
  } finally {
    void task.destroy();
  }
}
