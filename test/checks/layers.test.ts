import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { cruise, type IForbiddenRuleType, type IReporterOutput } from 'dependency-cruiser';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

interface Rules {
  readonly forbidden: readonly IForbiddenRuleType[];
  readonly options: Readonly<Record<string, unknown>>;
}
const { default: rules }: { default: Rules } = await import(
  String(new URL('../../.dependency-cruiser.mjs', import.meta.url))
);

/** One planted violation per rule: the file, and the import it must not have. */
const PLANTS: Readonly<Record<string, readonly [file: string, source: string]>> = {
  'no-cycle': ['src/base/one.ts', "import type { Two } from './two.ts';\nexport type One = Two;\n"],
  'not-resolvable': ['src/base/nowhere.ts', "import './there-is-no-such-file.ts';\n"],
  'pure-core': [
    'src/payment/reads-files.ts',
    "import { readFileSync } from 'node:fs';\nreadFileSync('x');\n",
  ],
  'driver-door': [
    'drivers/terminals/zvt/reaches-in.ts',
    "import type { Base } from '../../../src/base/target.ts';\nexport type X = Base;\n",
  ],
  'driver-has-no-node': [
    'drivers/terminals/zvt/own-socket.ts',
    "import { connect } from 'node:net';\nconnect(1);\n",
  ],
  'provider-door': [
    'drivers/providers/files/reaches-in.ts',
    "import type { Base } from '../../../src/base/target.ts';\nexport type X = Base;\n",
  ],
  'provider-has-no-node': [
    'drivers/providers/files/own-file.ts',
    "import { readFileSync } from 'node:fs';\nreadFileSync('x');\n",
  ],
  'virtual-is-a-stranger': [
    'drivers/terminals/zvt/virtual.ts',
    "import type { Frames } from './frames.ts';\nexport type X = Frames;\n",
  ],
  'judge-is-a-stranger': [
    'test/judge/reaches-in.ts',
    "import type { Base } from '../../src/base/target.ts';\nexport type X = Base;\n",
  ],
  'one-composition': [
    'test/support/second-root.ts',
    "import { createPaymentCore } from '../../src/payment/core.ts';\ncreatePaymentCore();\n",
  ],
  'driver-list-for-roots': [
    'src/api/knows-drivers.ts',
    "import { list } from '../../drivers/index.ts';\nlist();\n",
  ],
  'every-folder-has-a-row': [
    'src/newcomer/thing.ts',
    "import type { Base } from '../base/target.ts';\nexport type X = Base;\n",
  ],
  'door-of-serialport': ['src/api/serial.ts', "import 'serialport';\n"],
  'door-of-node-hid': ['src/api/hid.ts', "import 'node-hid';\n"],
  'door-of-better-sqlite3': ['src/api/sqlite.ts', "import Sqlite from 'better-sqlite3';\nnew Sqlite('x');\n"],
  'door-of-undici': ['src/api/undici.ts', "import { Pool } from 'undici';\nnew Pool('http://x');\n"],
  'door-of-oauth4webapi': ['src/api/oauth.ts', "import 'oauth4webapi';\n"],
  'door-of-p-retry': ['src/api/p-retry.ts', "import 'p-retry';\n"],
  'door-of-opossum': ['src/api/opossum.ts', "import 'opossum';\n"],
  'door-of-fastify': [
    'src/net/fastify.ts',
    "import type { FastifyInstance } from 'fastify';\nexport type X = FastifyInstance;\n",
  ],
  'door-of-fastify-plugin': ['src/sandbox/plugin.ts', "import 'fastify-plugin';\n"],
  'door-of-nanotar': ['src/api/nanotar.ts', "import 'nanotar';\n"],
  'door-of-fast-string-width': ['src/api/width.ts', "import 'fast-string-width';\n"],
  'door-of-pino': ['src/api/pino.ts', "import 'pino';\n"],
  'door-of-prom-client': ['src/agent/prom-client.ts', "import 'prom-client';\n"],
  'door-of-node-cron': ['src/api/node-cron.ts', "import 'node-cron';\n"],
  'door-of-uuid': ['src/api/uuid.ts', "import 'uuid';\n"],
  'door-of-kysely': ['src/api/kysely.ts', "import 'kysely';\n"],
  'door-of-pg': ['src/hub/http/client.ts', "import 'pg';\n"],
  'door-of-pg-cursor': ['src/hub/http/cursor.ts', "import 'pg-cursor';\n"],
  'door-of-nodemailer': ['src/hub/http/mail.ts', "import 'nodemailer';\n"],
  'door-of-jose': ['src/api/jose.ts', "import 'jose';\n"],
  'door-of-commander': ['src/api/commander.ts', "import 'commander';\n"],
  'door-of-bomb.shtab': ['src/api/tab.ts', "import '@bomb.sh/tab';\n"],
  'door-of-eventsource-parser': ['src/api/eventsource.ts', "import 'eventsource-parser';\n"],
  'door-of-preact': ['src/api/preact.ts', "import 'preact';\n"],
  'door-of-uplot': ['src/api/uplot.ts', "import 'uplot';\n"],
  'door-of-preactsignals': ['src/api/signals.ts', "import '@preact/signals';\n"],
  'door-of-preactsignals-core': ['src/api/signals-core.ts', "import '@preact/signals-core';\n"],
  'door-of-ipaddr.js': ['src/api/ipaddr.ts', "import 'ipaddr.js';\n"],
  'door-of-uqr': ['src/api/qr.ts', "import 'uqr';\n"],
  'door-of-simplewebauthnserver': ['src/net/webauthn.ts', "import '@simplewebauthn/server';\n"],
  'door-of-peculiarx509': ['src/api/x509.ts', "import '@peculiar/x509';\n"],
  'door-of-reflect-metadata': ['src/api/reflect.ts', "import 'reflect-metadata';\n"],
  'door-of-jsonc-parser': ['src/api/jsonc.ts', "import 'jsonc-parser';\n"],
  'door-of-fastest-levenshtein': ['src/net/levenshtein.ts', "import 'fastest-levenshtein';\n"],
  'door-of-jsonata': ['drivers/providers/files/expressions.ts', "import 'jsonata';\n"],
  'door-of-http-link-header': [
    'drivers/providers/files/links.ts',
    "import LinkHeader from 'http-link-header';\nnew LinkHeader('x');\n",
  ],
  'door-of-temporal-polyfill': ['src/api/temporal.ts', "import 'temporal-polyfill';\n"],
  'door-of-csv-parse': ['drivers/providers/rest/csv.ts', "import 'csv-parse/sync';\n"],
  'door-of-lydellnode-pty': ['src/api/pty.ts', "import '@lydell/node-pty';\n"],
  ...layerPlants(),
  'layer-console': [
    'src/console/reaches-down.ts',
    "import type { Base } from '../base/target.ts';\nexport type X = Base;\n",
  ],
};

/** Files that the plants point at. */
const GROUND: Readonly<Record<string, string>> = {
  'src/base/target.ts': 'export type Base = 1;\n',
  'src/base/two.ts': "import type { One } from './one.ts';\nexport type Two = One;\n",
  'src/payment/core.ts': 'export const createPaymentCore = () => 1;\n',
  'src/console/target.ts': 'export type X = 1;\n',
  'drivers/terminals/zvt/frames.ts': 'export type Frames = 1;\n',
  'drivers/index.ts': 'export const list = () => 1;\n',
  'package.json': '{ "name": "planted", "type": "module" }',
  'tsconfig.json':
    '{ "compilerOptions": { "module": "nodenext", "moduleResolution": "nodenext", "allowImportingTsExtensions": true, "noEmit": true } }',
};

/** Every folder's row, broken by an import of a folder that is on nobody's list; a room's, by an import of the next room. */
function layerPlants(): Record<string, [string, string]> {
  const names = ruleNames().filter((name) => name.startsWith('layer-'));
  return Object.fromEntries(
    names.map((name, index) => {
      const folder = name.slice('layer-'.length);
      const next = names[index + 1]?.slice('layer-'.length) ?? '';
      const isRoom = folder.includes('/') && dirname(next) === dirname(folder);
      const target = isRoom ? `${next}/reaches-up.ts` : 'console/target.ts';
      const up = folder.replaceAll(/[^/]+/g, '..');
      const source = `import type { X as Up } from '${up}/${target}';\nexport type X = Up;\n`;
      return [name, [`src/${folder}/reaches-up.ts`, source]];
    }),
  );
}

function packages(): readonly string[] {
  return rules.forbidden.flatMap((rule) => {
    if (!('to' in rule) || !rule.name?.startsWith('door-of-')) return [];
    const path = String(rule.to.path);
    return [path.slice(path.indexOf(')?') + 2, -1)];
  });
}

function ruleNames(): readonly string[] {
  return rules.forbidden.map((rule) => rule.name ?? '');
}

describe('the layer rules', () => {
  const root = mkdtempSync(join(tmpdir(), 'tilld-layers-'));
  let found = new Set<string>();

  beforeAll(async () => {
    for (const [file, text] of [...Object.values(PLANTS), ...Object.entries(GROUND)]) {
      mkdirSync(dirname(join(root, file)), { recursive: true });
      writeFileSync(join(root, file), text);
    }
    symlinkSync(join(import.meta.dirname, '../../node_modules'), join(root, 'node_modules'));
    found = await violationsOf(root);
  });

  afterAll(() => rmSync(root, { recursive: true, force: true }));

  it('has a planted violation for every rule', () => {
    expect(Object.keys(PLANTS).sort()).toEqual([...ruleNames()].sort());
  });

  it.each(ruleNames())('finds the planted violation of %s', (name) => {
    expect(found).toContain(name);
  });

  it('are what src/README.md says of packages: it names each one at the folders that may import it', () => {
    const readme = readFileSync(new URL('../../src/README.md', import.meta.url), 'utf8');
    expect(packages().filter((name) => !readme.includes(name))).toEqual([]);
  });
});

async function violationsOf(root: string): Promise<Set<string>> {
  const { options, forbidden } = rules;
  const ruleSet = { forbidden: [...forbidden] };
  const result: IReporterOutput = await cruise(['src', 'drivers', 'test'], {
    ...options,
    baseDir: root,
    validate: true,
    ruleSet,
    outputType: 'json',
  } as never);
  const { summary } = JSON.parse(String(result.output)) as {
    summary: { violations: { rule: { name: string } }[] };
  };
  return new Set(summary.violations.map((violation) => violation.rule.name));
}
