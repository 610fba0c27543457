// The layer rules of the house. Each row names who may import what; `test/checks/layers.test.ts` plants one violation per row.
// TypeScript is parsed by @swc/core: without it this checker sees no module of ours and passes.

const PURE = '^src/(base|terminal|payment|integration|outbox|webhooks)/';

/** Which npm packages may come in through which folders only. */
const DOORS = {
  serialport: '^src/transport/',
  'node-hid': '^src/transport/',
  'better-sqlite3': '^src/store/',
  undici: '^src/net/',
  oauth4webapi: '^src/net/',
  'p-retry': '^src/net/',
  opossum: '^src/net/',
  fastify: '^src/(api|hub/http|sandbox)/',
  'fastify-plugin': '^src/api/',
  pino: '^src/runtime/',
  'prom-client': '^src/(api|hub)/metrics/',
  'node-cron': '^src/(config|runtime)/',
  uuid: '^src/runtime/',
  commander: '^src/(cli|hub)/',
  kysely: '^src/hub/',
  pg: '^src/hub/database/',
  'pg-cursor': '^src/hub/database/',
  nodemailer: '^src/hub/alerts/',
  jose: '^src/(hub/(agents|commands)|fleet/agent)/',
  'eventsource-parser': '^src/(cli|console)/',
  preact: '^src/console/',
  uplot: '^src/console/',
  uqr: '^src/(cli|console)/',
  '@preact/signals': '^src/console/',
  '@preact/signals-core': '^src/console/',
  nanotar: '^src/cli/',
  'fast-string-width': '^src/cli/',
  '@bomb.sh/tab': '^src/cli/',
  'ipaddr.js': '^src/(config|net)/',
  '@simplewebauthn/server': '^src/api/people/',
  '@peculiar/x509': '^src/certificates/',
  'reflect-metadata': '^src/(certificates|api/people)/',
  'jsonc-parser': '^src/config/',
  'fastest-levenshtein': '^src/(api|config)/',
  '@lydell/node-pty': '^src/sandbox/',
  jsonata: '^drivers/providers/rest/',
  'http-link-header': '^drivers/providers/rest/',
  'temporal-polyfill': '^drivers/providers/rest/|^src/runtime/(timetable|shop-calendar)',
  'csv-parse': '^drivers/providers/files/',
};

/** What each folder may import of ours; its own files are always open to it. */
const MAY_IMPORT = {
  base: [],
  terminal: ['base'],
  outbox: ['base', 'terminal', 'payment'],
  payment: ['base', 'terminal'],
  webhooks: ['base'],
  integration: ['base'],
  'driver-kit': ['base', 'terminal', 'integration'],
  'driver-packages': ['base', 'terminal', 'driver-kit'],
  transport: ['base', 'terminal'],
  store: ['base', 'terminal', 'payment', 'integration', 'outbox', 'webhooks', 'api/ports'],
  net: ['base', 'integration'],
  certificates: ['base'],
  service: ['base', 'net', 'outbox', 'payment', 'integration'],
  api: ['base', 'terminal', 'payment', 'integration', 'outbox', 'webhooks', 'certificates', 'sentences'],
  cli: ['base', 'api/contract', 'sentences'],
  console: ['sentences'],
  sentences: ['base'],
  config: ['base', 'driver-kit'],
  runtime: ['base', 'integration'],
  sandbox: ['base'],
  fleet: ['base', 'net'],
  'fleet/contract': [],
  hub: ['base', 'net', 'webhooks', 'fleet/contract'],
  bin: [],
};

/** The rooms of a folder: each may import those before it, and the files outside the rooms. */
const ROOMS = {
  integration: 'window failure page run schedule settings mapping views runner',
  store:
    'disk backfill schema journal audit epoch attempts damage backup archive search idempotency outbox payments statistics ' +
    'terminals webhooks people keys integrations mirror inspection restore',
};
for (const [folder, names] of Object.entries(ROOMS)) {
  const rooms = names.split(' ').map((name) => `${folder}/${name}`);
  for (const [index, room] of rooms.entries())
    MAY_IMPORT[room] = [...MAY_IMPORT[folder], `${folder}/[^/]+(?=\\.ts)`, ...rooms.slice(0, index)];
}

/** Other tests import what their suite installs or generates, and some of their types form cycles. */
const STRICT = '^(src|drivers|test/judge)/';

/** The composition roots: the only files that know everyone. */
const ROOTS = '^src/(main\\.ts$|agent/|cli/offline/)';

/** The packages that some provider driver is the door of; the door rules say which of them. */
const providerPackages = () =>
  Object.entries(DOORS)
    .filter(([, folder]) => folder.startsWith('^drivers/providers/'))
    .map(([name]) => name)
    .join('|');

const doorRules = Object.entries(DOORS).map(([name, folder]) => ({
  name: `door-of-${name.replace(/[@/]/g, '')}`,
  comment: `${name} comes in through one folder, so that it can be replaced there`,
  severity: 'error',
  from: { path: '^(src|drivers)/', pathNot: folder },
  to: { path: `(^|/)node_modules/(@types/)?${name}/` },
}));

const folderRules = Object.entries(MAY_IMPORT).map(([folder, allowed]) => ({
  name: `layer-${folder}`,
  comment: `src/${folder} imports only ${['itself', ...allowed].join(', ')}`,
  severity: 'error',
  from: { path: `^src/${folder}/`, pathNot: ROOTS },
  to: { path: '^(src|drivers)/', pathNot: [folder, ...allowed].map((name) => `^src/${name}(/|\\.ts$)`) },
}));

export default {
  forbidden: [
    { name: 'no-cycle', severity: 'error', from: { path: STRICT }, to: { circular: true } },
    {
      name: 'not-resolvable',
      comment: 'an import that leads nowhere would be invisible to every other rule',
      severity: 'error',
      from: { path: STRICT },
      to: { couldNotResolve: true },
    },
    {
      name: 'pure-core',
      comment: 'the core imports no npm package and no node: module',
      severity: 'error',
      from: { path: PURE },
      to: { dependencyTypes: ['npm', 'npm-dev', 'npm-optional', 'npm-no-pkg', 'core'] },
    },
    ...folderRules,
    ...doorRules,
    {
      name: 'driver-door',
      comment: 'a terminal driver imports the driver kit and its own files only',
      severity: 'error',
      from: { path: '^drivers/(terminals|skeleton)/([^/]+)/', pathNot: '/virtual[^/]*\\.ts$' },
      to: {
        path: '^(src|drivers|node_modules)/|^[^./]+$',
        // The skeletons of the other kinds take what they share from the first.
        pathNot: ['^src/driver-kit/terminal\\.ts$', '^drivers/$1/($2|sample)/'],
      },
    },
    {
      name: 'provider-door',
      comment: 'a provider driver imports the driver kit, its own files and the packages whose door it is',
      severity: 'error',
      from: { path: '^drivers/providers/([^/]+)/' },
      to: {
        path: '^(src|drivers|node_modules)/|^[^./]+$',
        pathNot: [
          '^src/driver-kit/provider\\.ts$',
          '^drivers/providers/$1/',
          `^node_modules/(@types/)?(${providerPackages()})/`,
        ],
      },
    },
    {
      name: 'provider-has-no-node',
      comment: 'requests, files and time reach a connector through its context',
      severity: 'error',
      from: { path: '^drivers/providers/' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'driver-has-no-node',
      comment: 'bytes, time and files reach a driver through ports',
      severity: 'error',
      from: { path: '^drivers/(terminals|skeleton)/' },
      to: { dependencyTypes: ['core', 'npm'] },
    },
    {
      name: 'virtual-is-a-stranger',
      comment: "a virtual terminal that shares its driver's codec agrees with its mistakes",
      severity: 'error',
      from: { path: '^drivers/(terminals|skeleton)/([^/]+)/virtual[^/]*\\.ts$' },
      to: {
        path: '^(src|drivers)/',
        pathNot: ['^src/(base|sandbox)/', '^drivers/$1/($2|sample)/virtual[^/]*\\.ts$'],
      },
    },
    {
      name: 'judge-is-a-stranger',
      comment: 'a judge that shares code with what it judges shares its beliefs',
      severity: 'error',
      from: { path: '^test/judge/', pathNot: '\\.test\\.ts$' },
      to: { pathNot: '^test/judge/' },
    },
    {
      name: 'one-composition',
      comment:
        'only createAgent wires the payment core, so that the daemon, the simulations and the tests run the same agent',
      severity: 'error',
      from: { pathNot: '^src/agent/create-agent\\.ts$' },
      to: { path: '^src/payment/core\\.ts$', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'driver-list-for-roots',
      comment: 'only composition roots and tests know the list of drivers and the sandbox',
      severity: 'error',
      from: { path: '^(src|drivers)/', pathNot: [ROOTS, '^drivers/', '^src/sandbox/'] },
      to: { path: '^(drivers/|src/sandbox/)' },
    },
    {
      name: 'every-folder-has-a-row',
      comment: 'a new folder in src gets a row in the layer rules',
      severity: 'error',
      from: {
        path: '^src/[^/]+/',
        pathNot: [...Object.keys(MAY_IMPORT).map((folder) => `^src/${folder}/`), ROOTS],
      },
      to: {},
    },
  ],
  options: {
    parser: 'swc',
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'types', 'default'],
      extensions: ['.ts', '.js', '.mjs', '.json'],
    },
  },
};
