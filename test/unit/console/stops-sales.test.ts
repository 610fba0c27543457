import { expect, it } from 'vitest';
import { stopsSales } from '../../../src/console/app/stops-sales.js';

it.each(['no_devices', 'disk_full', 'read_only', 'draining', 'terminal_offline', 'terminal_printer'])(
  '%s is a reason why nothing can be sold',
  (code) => expect(stopsSales(code)).toBe(true),
);

it.each([
  'service_offline',
  'report_refused',
  'archive_stopped',
  'clock_wrong',
  'memory_lost',
  'provider_paused',
])('%s is none', (code) => expect(stopsSales(code)).toBe(false));
