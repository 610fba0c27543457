import { z } from 'zod';
import { Timestamp, Uuid } from './primitives.ts';
import { PasskeyAnswer } from './sign-in.ts';

/**
 * The role of a signed-in user: `staff` takes payments, `lead` also refunds and closes the day, `ops` does everything. Each includes those before it.
 */
export const Role = z.enum(['staff', 'lead', 'ops']);
export type Role = z.infer<typeof Role>;

/** Body of `POST /v2/sign-in-codes`, on the unix socket only. */
export const CreateSignInCode = z.strictObject({
  role: Role.default('staff'),
  person: z.string().max(64).optional().describe('Name of a person, who signs in with it in their own role.'),
});

/** A code that opens one session, once. */
export const SignInCode = z.object({
  code: z.string().describe('8 digits.'),
  role: Role,
  person: z.string().nullable(),
  url: z.string().describe('Where the pages are.'),
  expires_at: Timestamp,
});
export type SignInCode = z.infer<typeof SignInCode>;

/** Body of `POST /v2/sessions`. */
export const CreateSession = z.union([
  z.strictObject({ code: z.string().regex(/^\d{8}$/, 'must be 8 digits') }),
  z.strictObject({ passkey: PasskeyAnswer }),
  z.strictObject({ person: Uuid, pin: z.string().max(64) }),
]);
export type CreateSession = z.infer<typeof CreateSession>;

/** A user who is signed in at the pages. */
export const Session = z.object({
  id: Uuid,
  role: Role,
  person: z.object({ id: Uuid, name: z.string() }).nullable().describe('null: no named person.'),
  expires_at: Timestamp,
});
export type Session = z.infer<typeof Session>;

/** A session at its creation; the page sends `proof` in `X-Tilld-Page` with every request, beside the cookie. */
export const OpenedSession = Session.extend({ proof: z.string() });
export type OpenedSession = z.infer<typeof OpenedSession>;
