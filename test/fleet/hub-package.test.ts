import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, it, onTestFinished } from 'vitest';
import { connect } from '../../src/hub/database/connect.ts';
import { migrate } from '../../src/hub/database/migrate.ts';
import { ROOT } from '../../systemd/package/bundle.ts';
import { bundleHub } from '../../systemd/package/hub/hub-package.ts';
import { aFolder } from '../support/money-database.ts';
import { newDatabase } from './postgres.ts';

const SERVER = process.env['TILLHUB_TEST_SERVER'];
const PAGES = join(ROOT, 'src/hub/pages');

describe.runIf(SERVER !== undefined)('the bundle of tillhub, without the sources (needs PostgreSQL)', () => {
  it('serves every page that the sources serve, and its interface', async () => {
    const folder = aFolder();
    await bundleHub(join(folder, 'src'));
    writeFileSync(join(folder, 'package.json'), '{"version":"0.1.0","type":"module"}');
    const url = await newDatabase(String(SERVER));
    const database = connect(url, { connections: 4 });
    await migrate(database);
    await database.destroy();
    const child = spawn(process.execPath, [join(folder, 'src/tillhub.js'), 'serve'], {
      cwd: folder,
      env: {
        ...process.env,
        ...{ TILLHUB_DATABASE: url, TILLHUB_LISTEN: '127.0.0.1:0' },
        ...{ TILLHUB_SMTP_URL: 'smtp://127.0.0.1:1', TILLHUB_MAIL_FROM: 'alerts@shops.example' },
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    onTestFinished(async () => {
      child.kill('SIGKILL');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    });
    const [ready] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
    const address = /http\S+/.exec(ready)?.[0] ?? '';
    const files = readdirSync(PAGES, { recursive: true, encoding: 'utf8' }).filter((name) =>
      ['.html', '.js', '.css', '.svg'].includes(extname(name)),
    );
    expect(files.length).toBeGreaterThan(10);
    for (const name of files) {
      const reply = await fetch(`${address}/${name === 'index.html' ? '' : `pages/${name}`}`);
      expect({ name, status: reply.status }).toEqual({ name, status: 200 });
      expect(await reply.text()).toBe(readFileSync(join(PAGES, name), 'utf8'));
    }
    const described = (await (await fetch(`${address}/openapi.json`)).json()) as { paths: object };
    expect(Object.keys(described.paths)).toContain('/v1/shops');
  }, 120_000);
});
