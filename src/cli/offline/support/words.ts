const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const WORD = /^[a-z][a-z_]{0,39}$/;
/** Prefixes of tilld's error codes name what failed. */
const CODE =
  /^(?:BACKUP|BOOKS|CONFIG|CREDENTIAL|DEVICE|HOOK|JOURNAL|LINK|LISTEN|NET|OPERATION|PROVIDER|SANDBOX|SEAL|SHUTTING|SOURCE|STATE|STORAGE|SYNC|TERMINAL|WRONG)_[A-Z_]{2,40}$/;
const CURRENCY = /^[A-Z]{3}$/;
/** A terminal's name for its model or firmware: short, with too few digits for any number. */
const MODEL = /^[A-Za-z](?!.*\d{6})[A-Za-z0-9 ._-]{0,23}$/;
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,3})?Z$/;

/** Replaces a value that does not have its required form. */
const LEFT_OUT = '[left out]';

/** A value in a form that can hold only its purpose; any other value is left out. */
export const only = {
  uuid: (value: unknown) => formed(value, UUID),
  word: (value: unknown) => formed(value, WORD),
  code: (value: unknown) => formed(value, CODE),
  currency: (value: unknown) => formed(value, CURRENCY),
  model: (value: unknown) => formed(value, MODEL),
  instant: (value: unknown) => formed(value, INSTANT),
  /** A count, a duration or an instant in ms: too small for a card number, which has 13 digits and starts with no 1 or 0. */
  number: (value: unknown) =>
    typeof value === 'number' && Number.isFinite(value) && Math.abs(value) < 2_000_000_000_000
      ? value
      : absent(value),
  flag: (value: unknown) => (typeof value === 'boolean' ? value : absent(value)),
} as const;

function formed(value: unknown, form: RegExp): string | null {
  if (typeof value === 'string' && form.test(value)) return value;
  return absent(value);
}

function absent(value: unknown): typeof LEFT_OUT | null {
  return value === null || value === undefined ? null : LEFT_OUT;
}
