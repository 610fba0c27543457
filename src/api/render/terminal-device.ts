import { exponentOf } from '../../base/money.ts';
import type { DeviceView } from '../../terminal/device.ts';
import type { TerminalDevice } from '../contract/terminal-device.ts';
import { instantOrNull } from './instant.ts';
import { namedAsOutside } from './json-record.ts';

/** Above this many units of its currency an amount is not usual at a counter. */
const USUAL_MAJOR = 1_000;

/** The interface has had this capability; tilld reserves no money on a card. */
const RESERVES_NOTHING = { preauthorisation: false };

/** A device as the API shows it. `shared_use`: another system was seen to use the terminal. */
export function renderTerminalDevice(view: DeviceView): TerminalDevice {
  const { device, identity } = view;
  return {
    id: device.id,
    name: device.name,
    driver: device.driver,
    currency: device.currency,
    min_amount_minor: device.minAmountMinor,
    max_amount_minor: device.maxAmountMinor,
    ask_above_minor: device.askAboveMinor ?? USUAL_MAJOR * 10 ** exponentOf(device.currency),
    tip: device.tip ?? 'none',
    terminal_serial: identity?.serial ?? null,
    terminal_id: identity?.terminalId ?? null,
    model: identity?.model ?? null,
    firmware: identity?.firmware ?? null,
    answering_serial: view.answering?.serial ?? null,
    answering_terminal_id: view.answering?.terminalId ?? null,
    status: view.status,
    status_reason: view.statusReason,
    last_seen_at: instantOrNull(view.lastSeenAt),
    in_doubt_attempt_id: view.inDoubtAttemptId,
    identity_grade: identity?.grade ?? null,
    capabilities: { ...namedAsOutside({ ...view.capabilities }), ...RESERVES_NOTHING },
    shared_use: view.sharedUse,
    needs: view.needs,
    is_connected: view.isConnected,
    waiting: view.waiting,
  };
}
