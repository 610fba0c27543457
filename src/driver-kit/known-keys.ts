import { z } from 'zod';

/** The keys that `schema` knows at `path` of `value`; empty where it accepts any. */
export function knownKeysAt(
  schema: z.core.$ZodType,
  path: readonly PropertyKey[],
  value: unknown,
): readonly string[] {
  const bare = unwrapped(schema, value);
  const [step, ...rest] = path;
  if (bare instanceof z.ZodObject) {
    if (step === undefined) return Object.keys(bare.shape);
    const inner: unknown = Object.hasOwn(bare.shape, step) ? bare.shape[String(step)] : undefined;
    return inner instanceof z.ZodType ? knownKeysAt(inner, rest, member(value, step)) : [];
  }
  if (bare instanceof z.ZodArray && step !== undefined)
    return knownKeysAt(bare.element, rest, member(value, step));
  if (bare instanceof z.ZodRecord && step !== undefined)
    return knownKeysAt(bare.valueType, rest, member(value, step));
  return [];
}

function unwrapped(schema: z.core.$ZodType, value: unknown): z.core.$ZodType {
  if (
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault ||
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable
  ) {
    return unwrapped(schema.def.innerType, value);
  }
  if (schema instanceof z.ZodPipe) {
    const { in: before, out } = schema.def;
    const written = unwrapped(before, value);
    return written instanceof z.ZodObject || out instanceof z.ZodTransform ? written : unwrapped(out, value);
  }
  if (schema instanceof z.ZodDiscriminatedUnion) {
    const option = schema.options.find((candidate) => matches(candidate, schema.def.discriminator, value));
    return option === undefined ? schema : unwrapped(option, value);
  }
  return schema;
}

function matches(option: z.core.$ZodType, discriminator: string, value: unknown): boolean {
  if (!(option instanceof z.ZodObject)) return false;
  const tag: unknown = option.shape[discriminator];
  return tag instanceof z.ZodType && tag.safeParse(member(value, discriminator)).success;
}

function member(value: unknown, step: PropertyKey): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, step) : undefined;
}
