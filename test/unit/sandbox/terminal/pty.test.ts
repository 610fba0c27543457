import { describe, expect, it } from 'vitest';
import { openPty } from '../../../../src/sandbox/terminal/pty.ts';

describe('a pty for a virtual terminal', () => {
  it('says in words what to install when neither node-pty nor socat is there', async () => {
    const load = () => Promise.reject(new Error('Cannot find module'));
    const refused = openPty({ load, socat: 'socat-that-is-not-there' });
    await expect(refused).rejects.toMatchObject({ code: 'SANDBOX_NO_PTY' });
    await expect(refused).rejects.toThrow(/socat.*@lydell\/node-pty.*"over": "tcp"/);
  });

  it('does not take a package without `open` for a working one', async () => {
    const refused = openPty({ load: async () => ({ default: {} }), socat: 'socat-that-is-not-there' });
    await expect(refused).rejects.toMatchObject({ code: 'SANDBOX_NO_PTY' });
  });
});
