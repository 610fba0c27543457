import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  pbkdf2Sync,
  randomBytes,
} from '../../../src/sandbox/terminal/ciphers.ts';
import { part, word } from './virtual-messages.ts';

/** What a terminal shares with its tills. */
export interface VirtualKey {
  readonly keyIdentifier: string;
  readonly keyVersion: number;
  readonly passphrase: string;
}

type Json = Readonly<Record<string, unknown>>;

/** The terminal's side of encrypted messages; it does not share the driver's code, because shared code would hide the same error on both sides. */
export class VirtualSecurity {
  readonly #key: VirtualKey;
  readonly #material: Buffer;

  constructor(key: VirtualKey) {
    this.#key = key;
    this.#material = pbkdf2Sync(key.passphrase, 'AdyenNexoV1Salt', 4000, 80, 'sha1');
  }

  /** The text in an encrypted request; undefined where it is not for this terminal. */
  opened(body: string): string | undefined {
    try {
      const message = part(JSON.parse(body), 'SaleToPOIRequest');
      const trailer = part(message, 'SecurityTrailer');
      if (
        word(trailer, 'KeyIdentifier') !== this.#key.keyIdentifier ||
        trailer?.['KeyVersion'] !== this.#key.keyVersion
      )
        return undefined;
      const iv = this.#ivFor(Buffer.from(word(trailer, 'Nonce'), 'base64'));
      const cipher = createDecipheriv('aes-256-cbc', this.#material.subarray(32, 64), iv);
      const text = Buffer.concat([cipher.update(word(message, 'NexoBlob'), 'base64'), cipher.final()]);
      return this.#mac(text) === word(trailer, 'Hmac') ? text.toString('utf8') : undefined;
    } catch {
      return undefined;
    }
  }

  /** A response, encrypted. */
  sealed(response: Json): Json {
    const text = Buffer.from(JSON.stringify(response));
    const nonce = randomBytes(16);
    const cipher = createCipheriv('aes-256-cbc', this.#material.subarray(32, 64), this.#ivFor(nonce));
    const SecurityTrailer = {
      AdyenCryptoVersion: 1,
      KeyIdentifier: this.#key.keyIdentifier,
      KeyVersion: this.#key.keyVersion,
      Nonce: nonce.toString('base64'),
      Hmac: this.#mac(text),
    };
    const { MessageHeader } = part(response, 'SaleToPOIResponse') ?? {};
    const NexoBlob = Buffer.concat([cipher.update(text), cipher.final()]).toString('base64');
    return { SaleToPOIResponse: { MessageHeader, NexoBlob, SecurityTrailer } };
  }

  #mac(text: Buffer): string {
    return createHmac('sha256', this.#material.subarray(0, 32)).update(text).digest('base64');
  }

  #ivFor(nonce: Buffer): Buffer {
    return Buffer.from(this.#material.subarray(64, 80).map((byte, index) => byte ^ (nonce[index] ?? 0)));
  }
}
