import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { openApiDocument } from '../../src/api/openapi/document.ts';
import { openApiDocument as documentOfHub } from '../../src/hub/http/openapi.ts';
import { OPERATOR_ROUTES } from '../../src/hub/http/operator-route.ts';
import { aFolder } from '../support/money-database.ts';
import { routesOf } from '../unit/api/as-described.ts';
import { openShop } from '../unit/api/shop.ts';

const LINTER = fileURLToPath(new URL('bin/cli.js', import.meta.resolve('@redocly/cli/package.json')));
const RULES = join(import.meta.dirname, 'redocly.yaml');

/** What the linter says of documents: `<document>: <rule> <words>`. */
function problemsOf(documents: Readonly<Record<string, unknown>>): Promise<readonly string[]> {
  const folder = aFolder();
  const files = Object.keys(documents).map((name) => `${name}.json`);
  for (const [name, document] of Object.entries(documents))
    writeFileSync(join(folder, `${name}.json`), JSON.stringify(document));
  const args = [LINTER, 'lint', ...files, '--config', RULES, '--format', 'github-actions'];
  // It reports its use, and asks for newer versions of itself, unless it is told not to.
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  return new Promise((resolve, reject) => {
    execFile(process.execPath, args, { cwd: folder, env }, (_error, stdout, stderr) => {
      const problems = [...stdout.matchAll(/^::\w+ title=([^,]+),file=(\w+)\.json,.*?::(.*)$/gm)];
      const ended = files.every((file) => stderr.includes(`${file}: validated`));
      const counted = stdout.split('\n').filter((line) => line !== '').length === problems.length;
      if (ended && counted) resolve(problems.map(([, rule, name, words]) => `${name}: ${rule} ${words}`));
      else reject(new Error(`the linter did not end as it should:\n${stdout}\n${stderr}`));
    });
  });
}

const routes = await routesOf(openShop().deps);

describe('a linter of another maker', () => {
  const whole = openApiDocument(routes, '0.1.0');

  it('has nothing to say against the OpenAPI document: whole, as TCP gives it, and in the older version; nor against the one of the hub', async () => {
    const outside = routes.filter(({ access }) => access !== 'socket_only');
    const problems = await problemsOf({
      whole,
      outside: openApiDocument(outside, '0.1.0'),
      older: openApiDocument(routes, '0.1.0', '2026-01-15'),
      hub: documentOfHub(OPERATOR_ROUTES),
    });
    expect(problems).toEqual([]);
  });

  it('has something to say where the document is wrong', async () => {
    const wrong = JSON.parse(JSON.stringify(whole));
    delete wrong.tags[0].description;
    wrong.components.schemas.Unused = { type: 'string' };
    wrong.paths['/v2/terminal-payments/{id}'].get.parameters.shift();
    wrong.components.schemas.TerminalPayment.examples[0].amount_minor = 'much';
    wrong.components.responses.RateLimited.headers['Retry-After'].$ref = '#/components/headers/Nowhere';
    const rules = (await problemsOf({ wrong })).map((problem) => problem.split(' ')[1]);
    expect([...new Set(rules)].sort()).toEqual([
      'no-invalid-schema-examples',
      'no-unresolved-refs',
      'no-unused-components',
      'path-parameters-defined',
      'tag-description',
    ]);
  });
});
