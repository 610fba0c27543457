import { GUARDING, KEY_PREFIXES, READING, type ScopeName } from '../interface.ts';

/** A key that rows use, by what is special about it. */
export interface KeyPlan {
  readonly name: string;
  readonly key: string;
  readonly scopes: readonly ScopeName[];
  /** From when on it is not valid any more, relative to the start, ms. */
  readonly expiresInMs?: number;
  readonly revoked?: true;
  /** Addresses it may be used from. */
  readonly allow?: readonly string[];
}

const OTHERS = ['settings:read', 'settings:write'] as const;
const EVERYTHING: readonly ScopeName[] = [...GUARDING, ...READING, ...OTHERS];

/** Every key of the contract test; their texts are made up, so that a body that echoes one is found. */
export const KEY_PLANS: readonly KeyPlan[] = [
  plan('full', EVERYTHING),
  plan('second', EVERYTHING),
  plan('third', EVERYTHING),
  plan('expired', EVERYTHING, { expiresInMs: -1 }),
  plan('expires-soon', EVERYTHING, { expiresInMs: 3_600_000 }),
  plan('revoked', EVERYTHING, { revoked: true }),
  plan('elsewhere', EVERYTHING, { allow: ['203.0.113.0/24', '2001:db8::/32'] }),
  plan('here', EVERYTHING, { allow: ['127.0.0.0/8', '::1'] }),
  plan('only settings:read', ['settings:read']),
  ...[...GUARDING, ...READING].map((scope) => plan(`only ${scope}`, [scope])),
  ...[...GUARDING, ...READING].map((scope) =>
    plan(
      `without ${scope}`,
      EVERYTHING.filter((other) => other !== scope),
    ),
  ),
];

/** A key of the right form that nobody has made. */
export const UNKNOWN_KEY = keyText('nobody');

function plan(name: string, scopes: readonly ScopeName[], more: Partial<KeyPlan> = {}): KeyPlan {
  return { name, key: keyText(name), scopes, ...more };
}

/** 32 letters and digits that say whose key it is. */
function keyText(name: string): string {
  const word = name.replace(/[^a-z]/g, '');
  return `${KEY_PREFIXES.sandbox}${`${word}Q7x${'0Zk9Wd4Rt2Yb6Nc8Vm1Lp3Hs5Jf7Gt9'}`.slice(0, 32)}`;
}
