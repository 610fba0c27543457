import { type ResourceManifest, z } from '../../../src/driver-kit/provider.ts';

export const RESOURCES = ['reconciliations', 'totals'] as const;

export const settingsSchema = z.strictObject({
  /** `reconciliations` asks the terminals themselves, `totals` reads what is known of their closed days. */
  resources: z
    .array(z.enum(RESOURCES))
    .min(1)
    .max(RESOURCES.length)
    .default([...RESOURCES]),
  /** Which terminals, by the ids of their devices; absent: all of them. */
  devices: z.array(z.uuid()).min(1).max(100).optional(),
});
export type Settings = z.output<typeof settingsSchema>;

/** Comparisons are made when they are asked for, so all of them are "read" each time; nothing is ever gone. */
export function resourcesOf({ resources }: Settings): readonly ResourceManifest[] {
  return [...new Set(resources)].map((name) => ({
    name,
    cursorField: name === 'totals' ? 'closed_at' : null,
    pageStyle: 'cursor',
    order: 'none',
    deletes: 'never',
  }));
}
