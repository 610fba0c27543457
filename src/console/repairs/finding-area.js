/**
 * What the checks of the doctor are about. A check that is not listed is about the machine.
 * `place`: where in the pages it is mended; absent: at the machine.
 * @type {Readonly<Record<string, { readonly ids: readonly string[], readonly place?: readonly string[] }>>}
 */
const AREAS = {
  payments: { ids: ['in-doubt', 'tasks', 'written-off'], place: ['till', 'tasks'] },
  reports: { ids: ['outbox', 'owed-reports', 'offline-reports', 'can-report'], place: ['ops', 'outbox'] },
  terminal: {
    ids: [
      'can-sell',
      'terminal',
      'terminal-network',
      'devices',
      'service-devices',
      'environment',
      'offline-terminals',
    ],
    place: ['ops', 'overview'],
  },
  port: { ids: ['port', 'probing', 'console', 'unit-devices'] },
  certificate: { ids: ['certificate', 'lan-authority'] },
  disk: {
    ids: [
      'disk-space',
      'disk-inodes',
      'ballast',
      'writable',
      'offline-writable',
      'offline-room',
      'file-system',
      'log-file',
      'log-size',
    ],
  },
  clock: { ids: ['clock', 'service-clock', 'time-zone'] },
  service: {
    ids: ['service', 'service-tls', 'service-version', 'service-filters', 'proxy'],
    place: ['ops', 'overview'],
  },
  credentials: { ids: ['credentials', 'service-key', 'service-scope', 'hook-secret', 'seal-key'] },
  database: {
    ids: [
      'database',
      'database-version',
      'database-schema',
      'database-pages',
      'unread-pages',
      'recovery',
      'database-references',
      'durability',
      'epoch',
      'identity',
      'leftovers',
    ],
  },
  journal: { ids: ['journal-chain', 'journal-anchors', 'audit-trail'] },
  archive: { ids: ['archive', 'archive-held'] },
  backup: { ids: ['backup'] },
  sync: {
    ids: ['is-fresh', 'integrations', 'mirror', 'sync', 'sync-held', 'sync-parked'],
    place: ['ops', 'integrations'],
  },
  mappings: { ids: ['mappings'], place: ['ops', 'integrations'] },
  webhooks: { ids: ['webhooks'] },
  api_keys: { ids: ['api-keys'] },
  network: { ids: ['lan', 'lan-name', 'listen', 'socket', 'socket-path', 'offline-names'] },
  configuration: { ids: ['config', 'config-file', 'device-options', 'settings', 'log-level'] },
};

/** @typedef {'payments' | 'reports' | 'terminal' | 'port' | 'certificate' | 'disk' | 'clock' | 'service' | 'credentials' | 'database' | 'journal' | 'archive' | 'backup' | 'sync' | 'mappings' | 'webhooks' | 'api_keys' | 'network' | 'configuration' | 'machine'} Area */

/**
 * @param {string} id of a check
 * @returns {{ area: Area, place: readonly string[] | null }} `place` null: it is mended at the machine
 */
export function areaOf(id) {
  const found = Object.entries(AREAS).find(([, { ids }]) => ids.includes(id));
  if (!found) return { area: 'machine', place: null };
  return { area: /** @type {Area} */ (found[0]), place: found[1].place ?? null };
}
