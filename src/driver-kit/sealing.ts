import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  randomBytes as nodeRandomBytes,
  pbkdf2Sync,
  timingSafeEqual,
} from 'node:crypto';

/** PBKDF2 with HMAC-SHA1, as old protocols derive their keys from a passphrase; blocks for some ms. @param length bytes */
export function keyOfPassphrase(
  passphrase: Uint8Array,
  salt: Uint8Array,
  iterations: number,
  length: number,
): Uint8Array {
  return Uint8Array.from(pbkdf2Sync(passphrase, salt, iterations, length, 'sha1'));
}

export function hmacSha256(key: Uint8Array, data: Uint8Array): Uint8Array {
  return Uint8Array.from(createHmac('sha256', key).update(data).digest());
}

/** AES-256-CBC with PKCS#7 padding. */
export function encryptAes(key: Uint8Array, iv: Uint8Array, data: Uint8Array): Uint8Array {
  const cipher = createCipheriv('aes-256-cbc', key, iv);
  return Uint8Array.from(Buffer.concat([cipher.update(data), cipher.final()]));
}

/** Undefined where the length or the padding shows that it was not made with this key. */
export function decryptAes(key: Uint8Array, iv: Uint8Array, data: Uint8Array): Uint8Array | undefined {
  try {
    const decipher = createDecipheriv('aes-256-cbc', key, iv);
    return Uint8Array.from(Buffer.concat([decipher.update(data), decipher.final()]));
  } catch {
    return undefined;
  }
}

/** In a time that does not depend on the content. */
export function isSameBytes(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && timingSafeEqual(one, other);
}

export function randomBytes(length: number): Uint8Array {
  return Uint8Array.from(nodeRandomBytes(length));
}

export function toBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}

/** Undefined for a text that is no base64. */
export function fromBase64(text: string): Uint8Array | undefined {
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return undefined;
  return Uint8Array.from(Buffer.from(text, 'base64'));
}
