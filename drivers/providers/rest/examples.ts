import { Temporal } from 'temporal-polyfill';
import type { Json, SettingsMistake } from '../../../src/driver-kit/provider.ts';
import { Mapping } from './mapping.ts';
import type { Settings } from './settings.ts';

/** A time of an example is never in the future: the year 2100, epoch ms. */
const FAR_MS = 4_102_444_800_000;

/** The examples of a recipe that it does not fulfil. `id`, `updatedAt` (ISO 8601) and `deleted` may stand beside the fields; a time without a zone is UTC where neither recipe nor settings name one. */
export async function failedExamples({
  recipe,
  timeZone,
  values,
}: Settings): Promise<readonly SettingsMistake[]> {
  const mistakes: SettingsMistake[] = [];
  const rule = { zone: timeZone ?? recipe.timeZone ?? 'UTC', nowMs: FAR_MS };
  for (const [name, resource] of Object.entries(recipe.resources)) {
    const mapping = new Mapping(resource, { ...recipe.values, ...values });
    for (const [index, example] of resource.examples.entries()) {
      const path = ['recipe', 'resources', name, 'examples', index];
      const mapped = await mapping.map(example.in, rule);
      if (mapped.kind === 'bad') {
        mistakes.push({ path: [...path, 'in'], message: `cannot be read: ${mapped.bad.reason}` });
        continue;
      }
      const { id, updatedAt, deleted, fields } = mapped.record;
      const changed = updatedAt === null ? null : isoOf(updatedAt);
      const found: Readonly<Record<string, Json>> = { ...fields, id, updatedAt: changed, deleted };
      for (const [field, wanted] of Object.entries(example.out)) {
        const got = found[field] ?? null;
        if (!isSame(got, wanted))
          mistakes.push({
            path: [...path, 'out', field],
            message: `is ${JSON.stringify(wanted)}, and the recipe gives ${JSON.stringify(got)}`,
          });
      }
    }
  }
  return mistakes;
}

function isoOf(ms: number): string {
  return Temporal.Instant.fromEpochMilliseconds(ms).toString({ smallestUnit: 'millisecond' });
}

/** Objects are the same in any order of their keys. */
function isSame(one: unknown, other: unknown): boolean {
  return sorted(one) === sorted(other);
}

function sorted(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}
