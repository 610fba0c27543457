import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { AppError } from '../base/errors.ts';
import type { Sealer } from '../base/sealer.ts';

/** Bytes of the key, of the nonce of each text, and of the tag that authenticates text and purpose. */
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const CIPHER = 'aes-256-gcm';
/** Begins every sealed text, so that another format can exist beside this one. */
const FORM = 'v1.';

/** Where the sealing key is kept, as text. */
export interface SealKeyPlace {
  /** undefined: there is no key. @throws when the key exists and cannot be read */
  read(): string | undefined;
  /** Stores the first key; it is on disk when this returns. */
  keep(key: string): void;
}

/**
 * Seals with AES-256-GCM, the purpose bound as associated data; a sealed text is `v1.` and base64url of nonce, ciphertext and tag. The key is created
 * when the first text is sealed and none exists; it is read once and kept in memory.
 */
export function createSealer(place: SealKeyPlace): Sealer {
  let known: Buffer | undefined;
  const key = (): Buffer | undefined => {
    known ??= readKey(place);
    return known;
  };
  const made = (): Buffer => {
    const fresh = randomBytes(KEY_BYTES);
    guarded(() => place.keep(fresh.toString('base64url')));
    known = fresh;
    return fresh;
  };
  return {
    seal: (text, purpose) => sealed(key() ?? made(), text, purpose),
    open: (text, purpose) => {
      const found = key();
      if (!found) throw broken('the key that sealed it is not here');
      return opened(found, text, purpose);
    },
  };
}

function sealed(key: Buffer, text: string, purpose: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce).setAAD(Buffer.from(purpose));
  const bytes = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  return FORM + bytes.toString('base64url');
}

function opened(key: Buffer, text: string, purpose: string): string {
  const bytes = Buffer.from(text.slice(FORM.length), 'base64url');
  if (!text.startsWith(FORM) || bytes.length < NONCE_BYTES + TAG_BYTES) throw broken('it is no sealed text');
  const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
    .setAAD(Buffer.from(purpose))
    .setAuthTag(bytes.subarray(-TAG_BYTES));
  try {
    const plain = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES));
    return Buffer.concat([plain, decipher.final()]).toString('utf8');
  } catch (cause) {
    throw broken('it was sealed with another key or for another purpose, or was altered', cause);
  }
}

function readKey(place: SealKeyPlace): Buffer | undefined {
  const text = guarded(() => place.read());
  if (text === undefined) return undefined;
  const key = Buffer.from(text, /^[0-9a-f]{64}$/i.test(text) ? 'hex' : 'base64url');
  if (key.length === KEY_BYTES) return key;
  throw unusable(`it holds no ${KEY_BYTES} bytes as hex or base64`);
}

function guarded<T>(work: () => T): T {
  try {
    return work();
  } catch (cause) {
    throw unusable('it cannot be read or written', cause);
  }
}

function unusable(why: string, cause?: unknown): AppError {
  return new AppError('SEAL_KEY_UNUSABLE', `The key that seals secrets is not usable: ${why}`, { cause });
}

function broken(why: string, cause?: unknown): AppError {
  return new AppError('SEAL_BROKEN', `A sealed secret cannot be opened: ${why}`, { cause });
}
