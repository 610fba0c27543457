import type { UsbFingerprint } from '../terminal/port-facts.ts';

/**
 * USB ids of card terminals with a serial port, by maker, as others publish them; none was verified here with its device.
 * Why that is enough: an id only decides which port is asked first, and a payment goes to a terminal that has answered there. A published id that is
 * wrong costs one question at a port.
 * Not here: adapter chips, in the makers' own names too (11ca:0212 is a CP2102 of Verifone), ids without a model that others use for other devices
 * (0b00:1001 is a keypad, 1234:0101 has no owner), and ids of network or HID modes.
 */
export const publishedUsbIds = {
  ingenico: [
    row('0b00', '3070', 'Ingenico iPP370 (udev rule of a Brazilian shop system)'),
    row('0b00', '0054', 'Ingenico Desk/3500 (the SDK of Transbank looks for it)'),
    row('0b00', '0060', 'Ingenico iPP350 in COM mode (inventory script of a shop chain)'),
    row(
      '0b00',
      '0081',
      'Ingenico, model not named (setup script of a till program finds its COM port by it)',
    ),
    row('0b00', '00a2', 'Ingenico Lane/3600 (inventory of a shop)'),
    row('079b', '0028', 'Ingenico iPP320 (udev rules of two Brazilian shop systems, as ttyACM)'),
  ],
  verifone: [
    row('11ca', '0201', 'Verifone Mx870 (Linux, drivers/usb/class/cdc-acm.c)'),
    row('11ca', '0219', 'Verifone, model not named (udev rule of a Brazilian shop system)'),
    row('11ca', '0220', 'Verifone VX805 (notes of its users on Windows)'),
    row('11ca', '0222', 'Verifone VX520c (the SDK of Transbank looks for it)'),
    row('11ca', '0300', 'Verifone P200 (inventory script of a shop chain, as a COM port)'),
  ],
  pax: [
    row('2fb8', '2116', 'PAX A920 (port list of a Thai till program)'),
    row('2fb8', '21a6', 'PAX A930 (port list of a Thai till program)'),
    row('2fb8', '2205', 'PAX A910 (port search of a till program)'),
    row('2fb8', '2466', 'PAX A910S (port search of a till program)'),
    row('2fb8', '225e', 'PAX IM30 (guide of a Chilean kiosk program for Getnet)'),
    row('2fb8', '2367', 'PAX A35 (inventory of a shop)'),
  ],
  castles: [row('0ca6', 'a050', 'Castles VEGA3000 (Linux, drivers/usb/class/cdc-acm.c)')],
} as const satisfies Record<string, readonly UsbFingerprint[]>;

function row(vendorId: string, productId: string, source: string): UsbFingerprint {
  return { vendorId, productId, note: `${source}; published, not verified here` };
}
