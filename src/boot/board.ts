import type { Health, Status } from '../api/contract/status.ts';
import type { StatusSource } from '../api/ports.ts';
import { renderTerminalDevice } from '../api/render/terminal-device.ts';
import type { OutboxStore } from '../outbox/ports.ts';
import type { PaymentStore } from '../payment/ports.ts';
import type { Devices } from '../terminal/device.ts';

/** How the link to the service stands, as `tillctl status` shows it. */
export interface LinkStatus {
  readonly state: 'online' | 'offline' | 'off';
  readonly reason: string | null;
}

export interface BoardPorts {
  readonly version: string;
  readonly environment: 'live' | 'sandbox';
  readonly urls: Status['urls'];
  readonly devices: Devices;
  readonly payments: PaymentStore;
  readonly outbox: OutboxStore;
  readonly link: () => LinkStatus;
  readonly now: () => number;
}

/** The three lights of the shop: can it sell, can it report, is what it shows fresh. */
export class Board implements StatusSource {
  readonly #ports: BoardPorts;

  constructor(ports: BoardPorts) {
    this.#ports = ports;
  }

  health(): Health {
    const devices = this.#ports.devices.list();
    const link = this.#ports.link();
    const canSell = devices.some((device) => device.status === 'ready' || device.status === 'busy');
    const canReport = link.state === 'online';
    const reasons: Health['reasons'] = [];
    if (devices.length === 0) reasons.push({ code: 'no_devices', message: 'no terminal is configured' });
    for (const { device, status, statusReason } of devices) {
      if (statusReason !== null) reasons.push({ code: `terminal_${status}`, message: `${device.name}: ${statusReason}` });
    }
    if (link.state === 'offline') reasons.push({ code: 'service_offline', message: link.reason ?? 'the service was not reached yet' });
    return { can_sell: canSell, can_report: canReport, is_fresh: true, reasons };
  }

  status(): Status {
    const { version, environment, urls, devices, outbox, link } = this.#ports;
    const { pending, oldestAt, parked } = outbox.summary();
    return {
      version,
      environment,
      urls,
      ...this.health(),
      terminals: devices.list().map(renderTerminalDevice),
      link: link(),
      outbox: { pending, oldest_at: oldestAt === null ? null : new Date(oldestAt).toISOString(), parked },
      integrations: [],
    };
  }

  metrics(): { readonly unknownOutcomes: number; readonly oldestUnreportedSeconds: number } {
    const { payments, outbox, now } = this.#ports;
    const { oldestAt } = outbox.summary();
    return {
      unknownOutcomes: payments.openAttempts().filter((attempt) => attempt.state.name === 'in_doubt').length,
      oldestUnreportedSeconds: oldestAt === null ? 0 : Math.max(0, (now() - oldestAt) / 1000),
    };
  }
}
