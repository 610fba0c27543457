import { z } from 'zod';
import { text } from './text.ts';

/** The largest settings, in bytes of their JSON: the signed command stays below what a hub takes. */
export const MOST_SETTINGS_BYTES = 4_000;

const Whole = z.int().min(0);
const Hours = z.strictObject({ from: text(5), to: text(5) });

/** When an integration runs; never what it reads, with which credential, or where its records go. */
const Integration = z.strictObject({
  interval_s: Whole.optional(),
  quiet_hours: Hours.optional(),
  time_zone: text(100).optional(),
  schedules: z
    .record(
      text(100),
      z.strictObject({
        cron: text(200).optional(),
        interval_s: Whole.optional(),
        jitter_s: Whole.optional(),
        quiet_hours: z.union([Hours, z.literal('none')]).optional(),
        time_zone: text(100).optional(),
      }),
    )
    .optional(),
  sweep_interval_s: Whole.optional(),
  max_errors: Whole.optional(),
});

/** How a terminal is asked; never where it is, which one it is, or what it may take. */
const Device = z.strictObject({
  link: z.strictObject({
    port: Whole.optional(),
    connect_timeout_ms: Whole.optional(),
    heartbeat_ms: Whole.optional(),
  }),
});

/**
 * Everything that may be configured from afar, by the names of the configuration file; `devices` by their ids. A setting that is absent stays as the shop's own file
 * has it. It is a list of what is allowed, so a key that tilld gets later is not among it. Bounds are those of the shop's schema, which the shop checks.
 */
export const ShopSettings = z.strictObject({
  language: text(10).optional(),
  log: z.strictObject({ level: text(10).optional() }).optional(),
  retention: z.strictObject({ archive_after_days: z.union([Whole, z.literal('never')]) }).optional(),
  heartbeat_ms: Whole.optional(),
  service: z
    .strictObject({
      poll_interval_ms: Whole.optional(),
      requests_per_minute: Whole.optional(),
      burst: Whole.optional(),
    })
    .optional(),
  integrations: z
    .partialRecord(z.enum(['provider_a', 'provider_b', 'terminal', 'provider_d']), Integration)
    .optional(),
  mirror: z
    .strictObject({ lists: z.array(text(40)).max(40).optional(), interval_s: Whole.optional() })
    .optional(),
  devices: z.record(z.uuid(), Device).optional(),
});
export type ShopSettings = z.infer<typeof ShopSettings>;

/**
 * Class C: the shop checks it, waits until every terminal is idle, runs with it, judges it, and goes back by itself. `settings` replace those of an older revision
 * whole; `revision` only grows, by convention the second of the signature.
 */
export const ConfigurationCommand = z.strictObject({
  kind: z.literal('configuration'),
  revision: z.int().min(1).max(253_402_300_799),
  settings: z
    .unknown()
    .superRefine((value, context) => {
      const why = refusalOfSettings(value);
      if (why !== null) context.addIssue({ code: 'custom', message: why });
    })
    .pipe(ShopSettings),
  /** The digest of the shop's own settings, which a person there has changed, and which may be overruled. */
  over: z
    .string()
    .regex(/^[a-p]{12}$/, 'must be the 12 letters that the shop has named')
    .optional(),
});
export type ConfigurationCommand = z.infer<typeof ConfigurationCommand>;

/** Why this is no command of this kind, in words; null: it is one, or is of another kind. */
export function refusalOfConfiguration(command: Readonly<Record<string, unknown>>): string | null {
  if (command['kind'] !== 'configuration') return null;
  const parsed = ConfigurationCommand.safeParse(command);
  if (parsed.success) return null;
  return parsed.error.issues
    .map((issue) => (issue.code === 'custom' ? issue.message : wordsOf(issue)))
    .join('; ');
}

/** Why these settings are none that a shop takes from afar, in words; null: nothing stands against them here. */
export function refusalOfSettings(settings: unknown): string | null {
  const secret = secretIn(settings, []);
  if (secret !== null)
    return `${secret} names a secret: secrets are kept at the shop, and no hub ever has them`;
  const parsed = ShopSettings.safeParse(settings);
  if (!parsed.success) return parsed.error.issues.map(wordsOf).join('; ').slice(0, 1_000);
  const bytes = new TextEncoder().encode(JSON.stringify(settings)).length;
  return bytes > MOST_SETTINGS_BYTES
    ? `the settings are ${bytes} bytes; at most ${MOST_SETTINGS_BYTES} are taken`
    : null;
}

/** A JSON merge patch (RFC 7396): objects key by key, `null` takes a key away, everything else replaces what was there. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const base = isObject(target) ? target : {};
  const merged = new Map(Object.entries(base));
  for (const [key, value] of Object.entries(patch))
    if (value === null) merged.delete(key);
    else merged.set(key, mergePatch(merged.get(key), value));
  return Object.fromEntries(merged);
}

const SECRET = /(^|_)(key|secret|password|passwd|passphrase|token|credential|pin)s?($|_)/i;

/** The first field whose name says that its value is a secret. */
function secretIn(value: unknown, path: readonly string[]): string | null {
  if (typeof value !== 'object' || value === null) return null;
  for (const [key, inner] of Object.entries(value)) {
    const at = [...path, key];
    const found = SECRET.test(snakeCase(key)) ? at.join('.').slice(0, 200) : secretIn(inner, at);
    if (found !== null) return found;
  }
  return null;
}

/** `apiKey` and `api-key` are `api_key`. */
function snakeCase(key: string): string {
  return key.replace(/([a-z0-9])([A-Z])/g, '$1_$2').replace(/[\s.-]+/g, '_');
}

function wordsOf(issue: z.core.$ZodIssue): string {
  const path = issue.path.map(String);
  if (issue.code !== 'unrecognized_keys' && issue.code !== 'invalid_key')
    return `${path.join('.') || 'settings'}: ${issue.message}`;
  const keys = issue.code === 'unrecognized_keys' ? issue.keys : [''];
  const names = keys.map((key) => [...path, key].filter((part) => part !== '').join('.'));
  return `${names.join(', ').slice(0, 300)} cannot be configured by a hub, only at the shop`;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
