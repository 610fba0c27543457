import { z } from 'zod';
import { Timestamp, Uuid } from './primitives.ts';

/** 6 to 12 digits. */
export const Pin = z.string().regex(/^\d{6,12}$/, 'must be 6 to 12 digits');

/** Bytes of a browser's authenticator, base64url. */
const Bytes = z
  .string()
  .max(16_384)
  .regex(/^[\w-]*$/, 'must be base64url');
const CredentialId = Bytes.min(1).max(1_366);

/** What `navigator.credentials.get()` gave, as JSON (WebAuthn level 3). Unknown fields are passed over. */
export const PasskeyAnswer = z.object({
  id: CredentialId,
  rawId: CredentialId,
  type: z.literal('public-key'),
  response: z.object({
    clientDataJSON: Bytes,
    authenticatorData: Bytes,
    signature: Bytes,
    userHandle: Bytes.nullish(),
  }),
});
export type PasskeyAnswer = z.infer<typeof PasskeyAnswer>;

/** What `navigator.credentials.create()` gave, as JSON. */
export const NewPasskey = z.object({
  id: CredentialId,
  rawId: CredentialId,
  type: z.literal('public-key'),
  response: z.object({ clientDataJSON: Bytes, attestationObject: Bytes }),
});
export type NewPasskey = z.infer<typeof NewPasskey>;

/** A passkey of the person who is signed in. */
export const Passkey = z.object({
  id: z.string(),
  object: z.literal('passkey'),
  created_at: Timestamp,
  last_used_at: Timestamp.nullable(),
});
export type Passkey = z.infer<typeof Passkey>;

/** Options of WebAuthn, as the browser reads them. */
export const PasskeyOptions = z.looseObject({ challenge: z.string() });

/** How people may sign in here; names only on a paired device. */
export const SignInOptions = z.object({
  device: z.object({ id: Uuid, name: z.string() }).nullable(),
  people: z.array(z.object({ id: Uuid, name: z.string() })).describe('Those who have a PIN.'),
  shop_url: z
    .string()
    .nullable()
    .describe("Where devices of the shop's network open these pages by a name; null: nowhere."),
});
export type SignInOptions = z.infer<typeof SignInOptions>;

/** A code that pairs one browser, once. */
export const PairingCode = z.object({
  code: z.string().describe('8 digits.'),
  url: z.string().describe('The page that takes it.'),
  trust: z
    .object({
      url: z.string().describe('The page by which a device comes to trust the shop; plain HTTP.'),
      fingerprint: z.string().describe('SHA-256 of what it trusts then.'),
    })
    .nullable()
    .describe("null: tilld does not listen in the shop's network."),
  expires_at: Timestamp,
});
export type PairingCode = z.infer<typeof PairingCode>;

/** Body of `POST /v2/paired-devices`. */
export const PairDevice = z.strictObject({
  code: z.string().regex(/^\d{8}$/, 'must be 8 digits'),
  name: z
    .string()
    .trim()
    .min(1)
    .max(64)
    .regex(/^[\P{C}]+$/u, 'must hold printable characters only'),
});

/** A paired browser. */
export const PairedDevice = z.object({
  id: Uuid,
  object: z.literal('paired_device'),
  name: z.string(),
  status: z.enum(['paired', 'withdrawn']),
  paired_at: Timestamp,
  withdrawn_at: Timestamp.nullable(),
});
export type PairedDevice = z.infer<typeof PairedDevice>;
