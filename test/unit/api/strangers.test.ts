import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { lackOfOpenssl, makeCertificate } from '../../security/certificate.ts';
import { ask, KEYS, startShop } from './shop.ts';

/** The burst of callers without a valid credential. */
const BURST = 600;
const lack = lackOfOpenssl();

function certificate() {
  const folder = mkdtempSync(join(tmpdir(), 'tilld-tls-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const { pem, keyPath } = makeCertificate(folder);
  return { cert: pem, key: readFileSync(keyPath, 'utf8') };
}

describe('callers without a valid credential', () => {
  it.each([
    ['/v2/terminal-devices', 'rk_sandbox_guessed_guessed_guessed_guessed', 401],
    ['/v2/terminal-devices', null, 401],
    ['/healthz', null, 200],
  ])('at %s are limited by their address, and those with a key are not', async (path, key, status) => {
    const { api } = await startShop();
    onTestFinished(() => api.stop());
    const answers: number[] = [];
    // Many at once: the budget grows while they are asked.
    const many = () => Promise.all(Array.from({ length: 50 }, () => ask(api.url, { path, key })));
    while (answers.length < 4 * BURST && !answers.includes(429))
      answers.push(...(await many()).map((answer) => answer.status));
    expect(answers.slice(0, BURST)).toEqual(Array.from({ length: BURST }, () => status));
    expect(answers).toContain(429);
    expect((await ask(api.url, { path: '/v2/terminal-devices', key: KEYS.reader })).status).toBe(200);
  });
});

describe.skipIf(lack !== null)(`under TLS${lack ? ` (skipped: ${lack})` : ''}`, () => {
  it('each response says that a browser never comes without it again', async () => {
    const { api } = await startShop({ tls: certificate() });
    onTestFinished(() => api.stop());
    for (const path of ['/healthz', '/v2/nothing', '/']) {
      const [response] = await once(
        request(`${api.url}${path}`, { rejectUnauthorized: false }).end(),
        'response',
      );
      expect(response.headers['strict-transport-security']).toBe('max-age=31536000');
      response.resume();
    }
  });
});
