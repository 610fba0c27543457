/**
 * CRC-16/KERMIT: width 16, polynomial 0x1021 reflected (0x8408), start 0, reflected in and out, no final xor.
 * The check value of "123456789" is 0x2189.
 * @see https://reveng.sourceforge.io/crc-catalogue/16.htm#crc.cat.crc-16-kermit
 */
export function crc16Kermit(bytes: Iterable<number>): number {
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0x8408 : crc >>> 1;
  }
  return crc;
}
