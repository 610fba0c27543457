import { AppError } from '../../../src/driver-kit/terminal.ts';

const [NUL, EOT, ENQ, ACK, NAK, ETX] = [0x00, 0x04, 0x05, 0x06, 0x15, 0x03];
/** Response classes of a ZVT terminal: accepted, refused. */
const ZVT_CLASSES = new Set([0x80, 0x84]);

/** Recognises a terminal that is set to another protocol by the first bytes that it sent. */
export function wrongProtocol(heard: Uint8Array): AppError | undefined {
  const [first, second, third] = heard;
  if (first === undefined) return undefined;
  if (first === NUL && second === NUL && third === NUL)
    return wrong(
      'speaks its own protocol and not the one of tills (it greets with 00 00 00): set it to ECR17',
    );
  if (ZVT_CLASSES.has(first) && third === NUL)
    return wrong('speaks ZVT: set the driver of this device to zvt');
  if (isBareControl(first, second))
    return wrong(
      'answers with single bytes, as Concert and Transbank do: set the driver of this device to one of them',
    );
  return undefined;
}

/** In ECR17 06 and 15 are followed by 03, and 04 and 05 never come alone. */
function isBareControl(first: number, second: number | undefined): boolean {
  if (first === EOT || first === ENQ) return true;
  return (first === ACK || first === NAK) && second !== ETX;
}

function wrong(what: string): AppError {
  return new AppError('TERMINAL_WRONG_PROTOCOL', `the terminal ${what}`);
}
