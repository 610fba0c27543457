import { messageOf } from '../../base/errors.ts';
import { SerialQueue } from '../../base/serial-queue.ts';
import type { StaffedTerminal, VirtualTerminalSettings } from '../controllable-terminal.ts';
import type { VirtualDialect } from './dialect.ts';
import { type Listener, TcpListener } from './listeners.ts';
import { PtyListener } from './pty-listener.ts';
import { VirtualTerminal, type VirtualTerminalDeps } from './virtual-terminal.ts';

export interface StartDeps extends VirtualTerminalDeps {
  /** The path of the link to the pty, if it must be fixed; unused on TCP. */
  readonly ptyPath?: string;
}

/** A virtual terminal that tills can connect to. */
export interface RunningVirtualTerminal extends StaffedTerminal {
  /** `tcp://127.0.0.1:PORT` or the path of the pty; survives a power loss. */
  readonly address: string;
  /** Switches it off and closes its listener; idempotent. */
  stop(): Promise<void>;
}

/**
 * Switches a virtual terminal on and opens its listener: a TCP port on loopback, or a pty.
 * @throws SANDBOX_PORT_TAKEN, SANDBOX_NO_PTY, SANDBOX_LEDGER_UNREADABLE, SANDBOX_FAULT_INVALID.
 */
export async function startVirtualTerminal(
  settings: VirtualTerminalSettings,
  dialect: VirtualDialect,
  deps: StartDeps,
): Promise<RunningVirtualTerminal> {
  const terminal = new VirtualTerminal(settings, dialect, deps);
  const listener = listenerFor(settings, deps, terminal);
  terminal.start();
  try {
    await listener.open();
  } catch (error) {
    terminal.stop();
    await listener.remove();
    throw error;
  }
  const powerChanges = new SerialQueue();
  terminal.subscribe((on) => {
    powerChanges
      .run(() => (on ? listener.open() : listener.close()))
      .catch((error) => deps.log.error({ error: messageOf(error) }, 'virtual terminal cannot be reached'));
  });
  return {
    name: terminal.name,
    address: listener.address,
    snapshot: () => ({ ...terminal.snapshot(), address: listener.address }),
    press: (key) => terminal.press(key),
    inject: (fault) => terminal.inject(fault),
    typeByHand: (typed) => terminal.typeByHand(typed),
    closeByHand: () => terminal.closeByHand(),
    nextAmount: (amountMinor, added) => terminal.nextAmount(amountMinor, added),
    nextCard: (id) => terminal.nextCard(id),
    spoilNextEnd: (how, code) => terminal.spoilNextEnd(how, code),
    nextClose: (how) => terminal.nextClose(how),
    setPower: (on) => terminal.setPower(on),
    setCable: (plugged) => terminal.setCable(plugged),
    setPaper: (isIn) => terminal.setPaper(isIn),
    exchange: () => terminal.exchange(),
    setAutopilot: (key) => terminal.setAutopilot(key),
    forgetFaults: () => terminal.forgetFaults(),
    bench: () => terminal.bench(),
    presetNumbers: (receipt, trace) => terminal.presetNumbers(receipt, trace),
    stop: async () => {
      terminal.stop();
      await powerChanges.run(() => listener.remove());
    },
  };
}

function listenerFor(
  settings: VirtualTerminalSettings,
  deps: StartDeps,
  terminal: VirtualTerminal,
): Listener {
  if (settings.over === 'pty')
    return new PtyListener(deps.ptyPath, deps.clock, (pipe) => terminal.attach(pipe));
  return new TcpListener(settings.port, deps.clock, (pipe) => terminal.attach(pipe));
}
