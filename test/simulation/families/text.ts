const STX = 0x02;

/** What was written, a character a byte. */
export function textOf(written: Uint8Array): string {
  return Buffer.from(written).toString('latin1');
}

/** What stands in a frame that begins with 02; empty for everything else. */
export function framedText(written: Uint8Array): string {
  return written[0] === STX ? textOf(written.subarray(1)) : '';
}
