import type { Ids } from '../../../src/base/ids.ts';
import type { Log, LogFields } from '../../../src/base/log.ts';
import { Budget } from '../../../src/outbox/budget.ts';
import { OutboxSender, type OutboxSenderOptions } from '../../../src/outbox/sender.ts';
import type { DiskSpace } from '../../../src/payment/guards/disk-space.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';
import { MemoryOutboxStore } from './memory-outbox-store.ts';
import { ScriptedService } from './scripted-service.ts';

export const HOUR = 3_600_000;
export const ids: Ids = {
  uuid: () => 'u',
  nameBased: (namespace, name) => `${namespace}/${name}`,
  random: () => 1,
};

export interface Line {
  readonly level: string;
  readonly message: string;
  readonly fields: LogFields;
}

/** A log that can be read. */
export function readableLog(): { readonly log: Log; readonly lines: Line[] } {
  const lines: Line[] = [];
  const at = (level: string) => (fields: LogFields, message: string) =>
    void lines.push({ level, message, fields });
  const log: Log = {
    trace: at('trace'),
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    child: () => log,
  };
  return { log, lines };
}

/** A sender on a virtual clock, a store in memory and a scripted service. */
export function senderOn(
  options: Partial<OutboxSenderOptions> & { readonly perMinute?: number; readonly burst?: number } = {},
) {
  const { perMinute = 6_000, burst = 1_000, ...rest } = options;
  const clock = new VirtualClock();
  const store = new MemoryOutboxStore();
  const port = new ScriptedService();
  const { log, lines } = readableLog();
  const serviceTime = { now: (): number | null => clock.now() };
  const budget = new Budget(clock, { perMinute, burst });
  const disk: { shortage: ReturnType<DiskSpace['trouble']>; trouble: DiskSpace['trouble'] } = {
    shortage: null,
    trouble: () => disk.shortage,
  };
  const sender = new OutboxSender(
    { store, port, serviceTime, budget, disk, clock, ids, log },
    { createLocal: true, ...rest },
  );
  return { clock, store, port, lines, serviceTime, budget, disk, sender };
}

/** A create and a result of one attempt, as the core writes them. */
export const CREATE = {
  id: 'c',
  attemptId: 'A',
  kind: 'create',
  body: { id: 'A', amount_minor: 1, metadata: { tilld: {} } },
} as const;
export const RESULT = {
  id: 'r',
  attemptId: 'A',
  kind: 'result',
  body: { status: 'succeeded', auth_code: '42', metadata: { tilld: {} } },
} as const;

/** A refund of sale A, as the core writes it. */
export const REFUND = {
  id: 'gc',
  attemptId: 'G',
  kind: 'create',
  operation: 'refund',
  parentId: 'A',
  body: { id: 'G', amount_minor: 1, metadata: { tilld: {} } },
} as const;
export const REFUND_RESULT = { ...REFUND, id: 'gr', kind: 'result', body: RESULT.body } as const;
