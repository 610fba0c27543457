import {
  asciiBytes,
  decryptAes,
  encryptAes,
  fromBase64,
  hmacSha256,
  isObject,
  isSameBytes,
  jsonObject,
  keyOfPassphrase,
  randomBytes,
  toBase64,
  z,
} from '../../../src/driver-kit/terminal.ts';

/** What the till and the terminal share. */
export interface SharedKey {
  readonly key_identifier: string;
  readonly key_version: number;
  readonly passphrase: string;
}

const CRYPTO_VERSION = 1;
const SALT = asciiBytes('AdyenNexoV1Salt');
const ITERATIONS = 4000;
const [HMAC_KEY, CIPHER_KEY, IV] = [32, 32, 16];

const sealed = z.object({
  NexoBlob: z.string().max(400_000),
  SecurityTrailer: z.object({
    AdyenCryptoVersion: z.literal(CRYPTO_VERSION),
    KeyIdentifier: z.string().max(128),
    KeyVersion: z.int(),
    Nonce: z.string().max(64),
    Hmac: z.string().max(64),
  }),
});

/**
 * Messages that are encrypted and authenticated with a shared passphrase: header in clear, the whole message in `NexoBlob` (AES-256-CBC), its
 * HMAC-SHA256 and the nonce in `SecurityTrailer`. The keys come from the passphrase by PBKDF2.
 */
export class Security {
  readonly #shared: SharedKey;
  readonly #hmacKey: Uint8Array;
  readonly #cipherKey: Uint8Array;
  readonly #iv: Uint8Array;

  constructor(shared: SharedKey) {
    const passphrase = new TextEncoder().encode(shared.passphrase);
    const keys = keyOfPassphrase(passphrase, SALT, ITERATIONS, HMAC_KEY + CIPHER_KEY + IV);
    this.#shared = shared;
    this.#hmacKey = keys.slice(0, HMAC_KEY);
    this.#cipherKey = keys.slice(HMAC_KEY, HMAC_KEY + CIPHER_KEY);
    this.#iv = keys.slice(HMAC_KEY + CIPHER_KEY);
  }

  /** A request that only the terminal with the same passphrase reads. */
  seal(request: Uint8Array): Uint8Array {
    const root = jsonObject(request)['SaleToPOIRequest'];
    const MessageHeader = isObject(root) ? root['MessageHeader'] : undefined;
    const nonce = randomBytes(IV);
    const SecurityTrailer = {
      AdyenCryptoVersion: CRYPTO_VERSION,
      KeyIdentifier: this.#shared.key_identifier,
      KeyVersion: this.#shared.key_version,
      Nonce: toBase64(nonce),
      Hmac: toBase64(hmacSha256(this.#hmacKey, request)),
    };
    const NexoBlob = toBase64(encryptAes(this.#cipherKey, this.#ivWith(nonce), request));
    return new TextEncoder().encode(
      JSON.stringify({ SaleToPOIRequest: { MessageHeader, NexoBlob, SecurityTrailer } }),
    );
  }

  /** The message in a response; undefined where it was not made with this passphrase, key and version. @throws DECODE_MALFORMED */
  open(response: Uint8Array): Uint8Array | undefined {
    const { data } = sealed.safeParse(jsonObject(response)['SaleToPOIResponse']);
    if (!data) return undefined;
    const { KeyIdentifier, KeyVersion, Nonce, Hmac } = data.SecurityTrailer;
    const [nonce, hmac, blob] = [Nonce, Hmac, data.NexoBlob].map(fromBase64);
    if (KeyIdentifier !== this.#shared.key_identifier || KeyVersion !== this.#shared.key_version)
      return undefined;
    if (nonce?.length !== IV || !hmac || !blob) return undefined;
    const message = decryptAes(this.#cipherKey, this.#ivWith(nonce), blob);
    return message && isSameBytes(hmacSha256(this.#hmacKey, message), hmac) ? message : undefined;
  }

  #ivWith(nonce: Uint8Array): Uint8Array {
    return this.#iv.map((byte, index) => byte ^ (nonce[index] ?? 0));
  }
}
