import type { Config } from './schema.ts';

/** Keys that a running daemon applies on reload; adding or removing `tls` itself needs a restart. */
const TAKEN_OVER = /^(log\.level|tls\..+)$/;

/** The differences of two configurations, as dotted keys (`devices[0].link.host`). */
export interface ConfigChanges {
  readonly takenOver: readonly string[];
  /** These have no effect before a restart. */
  readonly needRestart: readonly string[];
}

/** Compares the running configuration with the one in the file. */
export function configChanges(running: Config, file: Config): ConfigChanges {
  const keys = differences(running, file, '');
  return {
    takenOver: keys.filter((key) => TAKEN_OVER.test(key)),
    needRestart: keys.filter((key) => !TAKEN_OVER.test(key)),
  };
}

/** A list with another length is one difference: its items have no names. */
function differences(one: unknown, other: unknown, at: string): readonly string[] {
  if (Array.isArray(one) && Array.isArray(other)) {
    if (one.length !== other.length) return [at];
    return one.flatMap((item, index) => differences(item, other[index], `${at}[${index}]`));
  }
  if (isSection(one) && isSection(other)) {
    const keys = [...new Set([...Object.keys(one), ...Object.keys(other)])];
    return keys.flatMap((key) => differences(one[key], other[key], at === '' ? key : `${at}.${key}`));
  }
  return one === other ? [] : [at];
}

function isSection(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
