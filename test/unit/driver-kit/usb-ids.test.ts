import { describe, expect, it } from 'vitest';
import { terminalDrivers } from '../../../drivers/index.ts';
import { publishedUsbIds } from '../../../src/driver-kit/usb-ids.ts';
import { isAdapter, type PortFacts } from '../../../src/terminal/port-facts.ts';
import { ratePorts } from '../../../src/terminal/rate-ports.ts';

const published = Object.values(publishedUsbIds).flat();

describe('the published USB ids of terminals', () => {
  it('are in the form of sysfs, each once, with what it is and where that is published', () => {
    const ids = published.map(({ vendorId, productId }) => `${vendorId}:${productId}`);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{4}:[0-9a-f]{4}$/);
    for (const { note } of published) expect(note).toMatch(/^\S.+ \(.+\); published, not verified here$/);
  });

  it('are none of an adapter chip, also not of one that has the id of a maker of terminals', () => {
    for (const { vendorId, productId } of published) {
      expect(isAdapter({ vendorId, productId, serial: null, name: null })).toBe(false);
      expect(`${vendorId}:${productId}`).not.toBe('11ca:0212');
    }
  });

  it('are known to every driver that speaks over a cable, and only to these', () => {
    const knowing = terminalDrivers.filter(({ usbFingerprints }) => usbFingerprints?.length);
    const overCable = terminalDrivers.filter(({ transports }) => transports.includes('serial'));
    expect(knowing.map(({ id }) => id)).toEqual(overCable.map(({ id }) => id));
  });

  it('let "auto" of any family ask a terminal that several families share, unless another device of tilld has it', () => {
    const [ipp370] = publishedUsbIds.ingenico;
    const usb = { ...ipp370, serial: null, name: null };
    const port: PortFacts = { path: '/dev/ttyACM0', names: [], usb, socket: '1-1:1.0', openedBy: null };
    const scoreOf = (id: string, openedBy: string | null) => {
      const { usbFingerprints = [] } = terminalDrivers.find((driver) => driver.id === id) ?? {};
      const auto = { kind: 'auto', fingerprints: usbFingerprints } as const;
      return ratePorts(auto, [{ ...port, openedBy: openedBy }], { ours: null, kinds: [] })[0]?.score;
    };
    for (const id of ['zvt', 'concert', 'ecr17']) {
      expect(scoreOf(id, null)).toBeGreaterThan(0);
      expect(scoreOf(id, 'tilld itself')).toBe(0);
    }
  });
});
