import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { machineIdentity } from '../../../src/runtime/machine-identity.ts';
import { aFolder } from '../../support/money-database.ts';

const ID = '0123456789abcdef0123456789abcdef';
const UUID = '4c4c4544-0042-3010-8057-b7c04f4e3232';
const DMI = 'sys/class/dmi/id/product_uuid';

/** A machine whose system says this, file by file. */
function machineWith(files: Readonly<Record<string, string>>) {
  const root = aFolder();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  const at = (name: string) => join(root, name);
  return machineIdentity({ etc: at('etc'), sys: at('sys'), credentials: at('credentials') });
}

describe('the identity of a machine', () => {
  it('is made of the machine-id and never shows it', () => {
    const { machine } = machineWith({ 'etc/machine-id': `${ID}\n` });
    // A UUID of version 4, variant 1, as sd_id128_get_machine_app_specific(3) makes it.
    expect(machine).toMatch(/^[0-9a-f]{12}4[0-9a-f]{3}[89ab][0-9a-f]{15}$/);
    expect(machine).not.toContain(ID.slice(0, 8));
    expect(machineWith({ 'etc/machine-id': ID }).machine).toBe(machine);
    expect(machineWith({ 'etc/machine-id': ID.replace('0', '1') }).machine).not.toBe(machine);
  });

  it.each(['', 'uninitialized\n', '0'.repeat(32), 'x'.repeat(32), `${ID}0`, 'a'.repeat(100_000)])(
    'is none where the machine-id is none (%#)',
    (text) => {
      expect(machineWith({ 'etc/machine-id': text }).machine).toBeNull();
    },
  );

  it('is none where nothing can be read, and another host name changes nothing', () => {
    expect(machineWith({ 'etc/hostname': 'front-shop' })).toEqual({ machine: null, hardware: null });
  });

  it('takes the hardware from what systemd hands over, from DMI, or from the board, in any letters', () => {
    const { hardware } = machineWith({ [DMI]: `${UUID.toUpperCase()}\n` });
    expect(hardware).toMatch(/^[0-9a-f]{32}$/);
    expect(machineWith({ 'credentials/product-uuid': UUID }).hardware).toBe(hardware);
    expect(machineWith({ 'credentials/product-uuid': 'none', [DMI]: UUID }).hardware).toBe(hardware);
    const board = machineWith({ 'sys/firmware/devicetree/base/serial-number': '10000000a1b2c3d4\0' });
    expect(board.hardware).toMatch(/^[0-9a-f]{32}$/);
  });

  it.each([
    '00000000-0000-0000-0000-000000000000',
    'FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF',
    '03000200-0400-0500-0006-000700080009',
    'To be filled by O.E.M.',
  ])('takes no placeholder of firmware for hardware: %s', (text) => {
    expect(machineWith({ [DMI]: text }).hardware).toBeNull();
  });
});
