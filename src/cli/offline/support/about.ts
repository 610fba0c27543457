import { readFileSync } from 'node:fs';
import { freemem, loadavg, machine, release, totalmem, type, uptime } from 'node:os';

/** The program and the machine, without their names. */
export function aboutMachine() {
  return {
    made_at: new Date().toISOString(),
    tilld: ownVersion(),
    node: process.versions.node,
    sqlite: process.versions['sqlite'] ?? null,
    system: type(),
    release: release(),
    machine: machine(),
    time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    up_s: Math.round(uptime()),
    load: loadavg(),
    memory_bytes: totalmem(),
    free_memory_bytes: freemem(),
  };
}

function ownVersion(): string {
  const manifest: unknown = JSON.parse(
    readFileSync(new URL('../../../../package.json', import.meta.url), 'utf8'),
  );
  const version =
    typeof manifest === 'object' && manifest !== null && 'version' in manifest ? manifest.version : '';
  return String(version);
}
