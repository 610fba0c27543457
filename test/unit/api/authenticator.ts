import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

/** How an authenticator of a test misbehaves. */
export interface Mischief {
  readonly origin?: string;
  readonly rpId?: string;
  readonly challenge?: string;
  /** It does not ask who holds it. */
  readonly unverified?: boolean;
  readonly counter?: number;
  readonly signature?: Buffer;
}

/** A passkey in software, from the words of WebAuthn level 3: ES256, attestation `none`. */
export class Authenticator {
  readonly id = randomBytes(16).toString('base64url');
  readonly #key: KeyObject;
  readonly #point: { readonly x: Buffer; readonly y: Buffer };
  #count = 0;

  constructor() {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
    this.#key = privateKey;
    this.#point = { x: Buffer.from(x, 'base64url'), y: Buffer.from(y, 'base64url') };
  }

  /** The answer to options of a registration, as the browser would send it. */
  create(challenge: string, origin: string, mischief: Mischief = {}) {
    const id = Buffer.from(this.id, 'base64url');
    const length = Buffer.alloc(2);
    length.writeUInt16BE(id.length);
    const data = Buffer.concat([
      this.#data(origin, mischief, 0x40),
      Buffer.alloc(16),
      length,
      id,
      cborMap([
        [cborInt(1), cborInt(2)],
        [cborInt(3), cborInt(-7)],
        [cborInt(-1), cborInt(1)],
        [cborInt(-2), cborBytes(this.#point.x)],
        [cborInt(-3), cborBytes(this.#point.y)],
      ]),
    ]);
    const attestation = cborMap([
      [cborText('fmt'), cborText('none')],
      [cborText('attStmt'), cborMap([])],
      [cborText('authData'), cborBytes(data)],
    ]);
    return this.#answer({
      clientDataJSON: clientData('webauthn.create', challenge, origin, mischief).toString('base64url'),
      attestationObject: attestation.toString('base64url'),
    });
  }

  /** The answer to options of a sign-in. */
  get(challenge: string, origin: string, mischief: Mischief = {}) {
    this.#count += 1;
    const data = this.#data(origin, mischief, 0);
    const client = clientData('webauthn.get', challenge, origin, mischief);
    const signed = Buffer.concat([data, createHash('sha256').update(client).digest()]);
    return this.#answer({
      clientDataJSON: client.toString('base64url'),
      authenticatorData: data.toString('base64url'),
      signature: (mischief.signature ?? sign('sha256', signed, this.#key)).toString('base64url'),
    });
  }

  #answer<T>(response: T) {
    return { id: this.id, rawId: this.id, type: 'public-key' as const, response };
  }

  #data(origin: string, { rpId, unverified = false, counter }: Mischief, more: number): Buffer {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter ?? this.#count);
    const flags = 0x01 | (unverified ? 0 : 0x04) | more;
    const host = rpId ?? new URL(origin).hostname;
    return Buffer.concat([createHash('sha256').update(host).digest(), Buffer.from([flags]), count]);
  }
}

function clientData(type: string, challenge: string, origin: string, mischief: Mischief): Buffer {
  return Buffer.from(
    JSON.stringify({ type, challenge: mischief.challenge ?? challenge, origin: mischief.origin ?? origin }),
  );
}

/** The few forms of CBOR (RFC 8949) that this needs. */
function cborHead(major: number, value: number): Buffer {
  if (value < 24) return Buffer.from([(major << 5) | value]);
  if (value < 256) return Buffer.from([(major << 5) | 24, value]);
  return Buffer.from([(major << 5) | 25, value >> 8, value & 0xff]);
}
const cborInt = (value: number) => (value < 0 ? cborHead(1, -1 - value) : cborHead(0, value));
const cborBytes = (bytes: Buffer) => Buffer.concat([cborHead(2, bytes.length), bytes]);
const cborText = (text: string) => Buffer.concat([cborHead(3, text.length), Buffer.from(text)]);
const cborMap = (pairs: readonly (readonly [Buffer, Buffer])[]) =>
  Buffer.concat([cborHead(5, pairs.length), ...pairs.flat()]);
