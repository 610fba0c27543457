import { type ResourceManifest, z } from '../../../src/driver-kit/provider.ts';

const column = z.string().min(1).max(200);

const resource = z.strictObject({
  /** File names in the folder; `*` matches any text. */
  files: z
    .string()
    .min(1)
    .max(100)
    .regex(/^[^/\\]*$/, 'the name of a file in the folder, no path'),
  /** `changes`: each file has new records. `whole`: the newest file is the complete list; records missing in it are deleted. */
  mode: z.enum(['changes', 'whole']).default('changes'),
  delimiter: z.enum([',', ';', '\t', '|']).default(','),
  /** Latin-1 is read as Windows-1252, its superset. A byte order mark is skipped. */
  encoding: z.enum(['utf-8', 'latin-1']).default('utf-8'),
  /** The column of the id. */
  id: column,
  /** Our names for columns; other columns keep their own name. */
  fields: z
    .record(z.string().regex(/^[a-z][a-z0-9_]{0,63}$/, 'small letters, digits and _'), column)
    .default({}),
  /** The column that marks a record as deleted, and its value then. */
  deleted: z.strictObject({ column, is: z.string().min(1).max(100) }).optional(),
});

export const settingsSchema = z.strictObject({
  resources: z
    .record(z.string().regex(/^[a-z][a-z0-9_]{0,63}$/, 'small letters, digits and _'), resource)
    .refine((all) => Object.keys(all).length > 0, 'at least one resource'),
  /** A file that was written to within this time is left for later, s: its writer may not have finished. */
  still_s: z.int().min(1).max(3_600).default(10),
});

export type Settings = z.output<typeof settingsSchema>;
export type FileResource = z.output<typeof resource>;

/**
 * A place names its file by name, time and size, and later files are beyond the window: no record can move past the reader, so a list is
 * read once, like a list with its own cursor.
 */
export function resourcesOf({ resources }: Settings): readonly ResourceManifest[] {
  return Object.entries(resources).map(([name, { mode, deleted }]) => ({
    name,
    cursorField: mode === 'changes' ? 'the time when the file was last written' : null,
    pageStyle: 'cursor',
    deletes: mode === 'whole' ? 'scan' : deleted ? 'tombstones' : 'never',
  }));
}
