import type { Device, DeviceStatus, Devices, DeviceView } from '../terminal/device.ts';
import type { TerminalSupervisor } from '../terminal/supervisor.ts';
import type { Attempt } from './attempt.ts';
import type { PaymentStore } from './ports.ts';
import type { LaneRunner } from './runner.ts';
import { NOTHING_SENT, type PaymentService } from './service.ts';

/** One device with its terminal and the queue in front of it. */
export interface Lane {
  readonly device: Device;
  readonly terminal: TerminalSupervisor;
  readonly runner: LaneRunner;
}

/**
 * All lanes of the shop, and what is true of each device right now.
 * `inherit` first puts every attempt of the last life in doubt, or cancels it; nothing may be accepted or moved before.
 */
export class Lanes implements Devices {
  readonly #lanes: ReadonlyMap<string, Lane>;
  readonly #store: PaymentStore;
  readonly #service: PaymentService;

  constructor(lanes: readonly Lane[], store: PaymentStore, service: PaymentService) {
    this.#lanes = new Map(lanes.map((lane) => [lane.device.id, lane]));
    this.#store = store;
    this.#service = service;
  }

  /** Settles what the last life left open: what was past `requested` is in doubt, what waited is cancelled. */
  inherit(): void {
    for (const attempt of this.#store.openAttempts()) this.#takeOver(attempt);
  }

  start(): void {
    this.#service.subscribe({ abort: (attempt) => this.abort(attempt) });
    for (const { terminal, runner } of this.#lanes.values()) {
      terminal.start();
      runner.start();
    }
  }

  async stop(): Promise<void> {
    const lanes = [...this.#lanes.values()];
    for (const { terminal } of lanes) terminal.halt();
    const runners = await Promise.allSettled(lanes.map((lane) => lane.runner.stop()));
    const terminals = await Promise.allSettled(lanes.map((lane) => lane.terminal.stop()));
    const failed = [...runners, ...terminals].find((one) => one.status === 'rejected');
    if (failed) throw failed.reason;
  }

  wake(deviceId: string): void {
    this.#lanes.get(deviceId)?.runner.wake();
  }

  /** Asks the terminal that works on this attempt to stop. */
  abort(attempt: Attempt): void {
    this.#lanes.get(attempt.deviceId)?.runner.abort(attempt.id);
  }

  list(): readonly DeviceView[] {
    return [...this.#lanes.values()].map(viewOf);
  }

  get(id: string): DeviceView | undefined {
    const lane = this.#lanes.get(id);
    return lane && viewOf(lane);
  }

  #takeOver({ id, deviceId, state, needsPerson }: Attempt): void {
    if (state.name === 'requested') {
      const message = 'tilld was restarted before it reached the terminal.';
      this.#service.apply(
        id,
        { type: 'expire' },
        { reason: { code: 'expired', message }, evidence: NOTHING_SENT },
      );
      return;
    }
    if (state.name !== 'in_doubt') {
      const reason = { code: 'restart', message: 'tilld stopped while the terminal was working on it.' };
      this.#service.apply(id, { type: 'lost' }, { reason });
    }
    if (!this.#lanes.has(deviceId) && !needsPerson) {
      const reason = {
        code: 'needs_person',
        message: 'Its device is not configured any more. Look at its terminal.',
      };
      this.#service.note(id, 'person_asked', { needsPerson: true, reason });
    }
  }
}

function viewOf(lane: Lane): DeviceView {
  const { device, terminal, runner } = lane;
  const { reach } = terminal;
  const doubt = runner.blockedBy;
  return {
    device,
    status: statusOf(lane, doubt !== null),
    statusReason:
      reach.kind === 'up' ? (doubt ? 'finding out how its last payment ended' : null) : reach.reason,
    identity: terminal.identity,
    capabilities: terminal.capabilities,
    lastSeenAt: terminal.lastSeenAt,
    inDoubtAttemptId: doubt?.id ?? null,
    waiting: runner.waiting,
  };
}

function statusOf({ terminal, runner }: Lane, inDoubt: boolean): DeviceStatus {
  if (terminal.reach.kind === 'wrong_terminal') return 'wrong_terminal';
  if (inDoubt) return 'recovering';
  if (terminal.reach.kind === 'down') return 'offline';
  return runner.running ? 'busy' : 'ready';
}
