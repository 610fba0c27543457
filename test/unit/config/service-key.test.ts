import { describe, expect, it } from 'vitest';
import { wrongKeyWords } from '../../../src/config/service-key.ts';

const LIVE = 'rk_live_abcdefgh';
const SANDBOX = 'rk_sandbox_abcdefgh';

describe('A key of the service', () => {
  it.each([
    ['live', LIVE, true],
    ['live', SANDBOX, false],
    ['live', 'something-else', false],
    ['sandbox', SANDBOX, true],
    ['sandbox', LIVE, false],
    ['staging', SANDBOX, true],
    ['staging', LIVE, false],
    ['mock', SANDBOX, true],
    ['mock', 'anything', true],
    ['mock', LIVE, false],
  ] as const)('for %s: %s may be sent: %s', (environment, key, may) => {
    const words = wrongKeyWords(key, environment, '/state/credentials/service-key');
    expect(words === null).toBe(may);
    expect(words ?? '').not.toContain('abcdefgh');
    if (!may) expect(words).toContain('/state/credentials/service-key');
  });
});
