import { AppError } from '../../base/errors.ts';
import type { Device, DeviceStatus, Devices, DeviceView } from '../../terminal/device.ts';
import type { IdentityStore } from '../ports.ts';
import type { TerminalState } from './terminal-state.ts';

/** The present state of each device, as guards and callers see it. */
export class DeviceViews implements Devices {
  readonly #states: ReadonlyMap<string, TerminalState>;
  readonly #terminals: IdentityStore;

  constructor(states: readonly TerminalState[], terminals: IdentityStore) {
    this.#states = new Map(states.map((state) => [state.device.id, state]));
    this.#terminals = terminals;
  }

  list(): readonly DeviceView[] {
    return [...this.#states.values()].map((state) => this.#viewOf(state));
  }

  get(id: string): DeviceView | undefined {
    const state = this.#states.get(id);
    return state && this.#viewOf(state);
  }

  /** Devices on whose terminals a payment, a close or a recovery runs or waits. */
  busy(): readonly Device[] {
    return [...this.#states.values()].filter(({ isBusy }) => isBusy).map(({ device }) => device);
  }

  /** @throws DEVICE_UNKNOWN */
  stateOf(id: string): TerminalState {
    const state = this.#states.get(id);
    if (state) return state;
    throw new AppError('DEVICE_UNKNOWN', 'no device has this id', { context: { param: 'id' } });
  }

  #viewOf(state: TerminalState): DeviceView {
    const { device, terminal } = state;
    const { reach, capabilities } = terminal;
    const needs = (reach.kind === 'down' && reach.needs) || null;
    const doubt = state.blockedBy;
    const { sharedUse, voidWithdrawn, setAside } = this.#terminals.factsOf(device.id);
    return {
      device,
      status: setAside === null ? statusOf(state, doubt !== null) : 'wrong_terminal',
      statusReason: setAside ?? reasonOf(state, doubt !== null),
      identity: terminal.identity,
      answering:
        reach.kind === 'wrong_terminal' ? reach.answering : setAside === null ? null : terminal.identity,
      capabilities: voidWithdrawn ? { ...capabilities, void: 'none' } : capabilities,
      lastSeenAt: terminal.lastSeenAt,
      inDoubtAttemptId: doubt?.id ?? null,
      sharedUse,
      needs,
      isConnected: reach.kind !== 'down' || needs !== null,
      waiting: state.waiting.length,
    };
  }
}

function reasonOf({ terminal: { reach } }: TerminalState, inDoubt: boolean): string | null {
  if (reach.kind !== 'up') return reach.reason;
  return inDoubt ? 'finding out how its last payment ended' : null;
}

function statusOf({ terminal, running, isClosing }: TerminalState, inDoubt: boolean): DeviceStatus {
  if (terminal.reach.kind === 'wrong_terminal') return 'wrong_terminal';
  if (inDoubt) return 'recovering';
  if (terminal.reach.kind === 'down') return 'offline';
  return running || isClosing ? 'busy' : 'ready';
}
