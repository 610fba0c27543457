import { type ResourceManifest, z } from '../../../src/driver-kit/provider.ts';

export const RESOURCES = ['reconciliations', 'totals'] as const;

export const settingsSchema = z.strictObject({
  /** `reconciliations` asks the terminals themselves, `totals` reads the stored totals of their closed batches. */
  resources: z
    .array(z.enum(RESOURCES))
    .min(1)
    .max(RESOURCES.length)
    .default([...RESOURCES]),
  /** Device ids of the terminals; absent: all of them. */
  devices: z.array(z.uuid()).min(1).max(100).optional(),
});
export type Settings = z.output<typeof settingsSchema>;

/** Comparisons are made on request, so every run reads all of them; no record is ever deleted. */
export function resourcesOf({ resources }: Settings): readonly ResourceManifest[] {
  return [...new Set(resources)].map((name) => ({
    name,
    cursorField: name === 'totals' ? 'closed_at' : null,
    pageStyle: 'cursor',
    deletes: 'never',
  }));
}
