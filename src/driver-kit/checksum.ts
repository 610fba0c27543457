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

/** Which bytes of `STX data ETX` a longitudinal check covers. */
export type LrcCover = 'data' | 'data_etx' | 'stx_data' | 'stx_data_etx';

/** A longitudinal redundancy check: the exclusive or of the covered bytes and `start`. */
export interface LrcRule {
  readonly start: number;
  readonly covers: LrcCover;
}

/**
 * The check of one frame by one of the rules in use. `0200|123|` by `{start: 0, covers: 'data_etx'}` is 0x31; "A" by
 * `{start: 0x7f, covers: 'data'}` is 0x3E. It may be any byte, control bytes included.
 */
export function lrcOf(data: Iterable<number>, { start, covers }: LrcRule): number {
  let check = start;
  if (covers === 'stx_data' || covers === 'stx_data_etx') check ^= STX;
  for (const byte of data) check ^= byte;
  return covers === 'data_etx' || covers === 'stx_data_etx' ? check ^ ETX : check;
}

const STX = 0x02;
const ETX = 0x03;
