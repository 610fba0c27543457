/**
 * The only entry point for terminal drivers: a driver imports everything of tilld from this file.
 * @module
 */
export { z } from 'zod';
export { maskCardNumbers, TruncatedCardNumber } from '../base/card-number.ts';
export { type Clock, sleep, type Timer, withDeadline } from '../base/clock.ts';
export { AppError, hasCode, messageOf } from '../base/errors.ts';
export { assertNever, invariant } from '../base/invariant.ts';
export type { Log } from '../base/log.ts';
export { type Currency, currencyOfNumericCode, type Money, numericCodeOf } from '../base/money.ts';
export { underAll } from '../base/signals.ts';
export type { Link, LinkLoss, OpenLink } from '../terminal/link.ts';
export type {
  AskedReference,
  Capabilities,
  CloseOutcome,
  DriverContext,
  LastTransaction,
  MoneyCommand,
  Observer,
  OriginalTransaction,
  Outcome,
  OwnReference,
  OwnTransaction,
  Readiness,
  Receipts,
  Reprint,
  TerminalDriver,
  TerminalIdentity,
  TerminalJournal,
  TerminalSession,
  Totals,
  TransactionReport,
  Transcript,
  Verdict,
} from '../terminal/ports.ts';
export { asciiBytes, blankFilled, zeroFilled } from './ascii.ts';
export { BasicSession } from './basic-session.ts';
export { bcdOf, bcdOfDigits, numberOfBcd } from './bcd.ts';
export {
  type BerTlvNode,
  type BerTlvRules,
  berLength,
  encodeBerTlv,
  findBerTlv,
  readBerLength,
  readBerTlv,
} from './ber-tlv.ts';
export { ByteReader, malformed } from './byte-reader.ts';
export { type CommandLimits, checkCommand } from './check-command.ts';
export { crc16Kermit, type LrcCover, type LrcRule, lrcOf } from './checksum.ts';
export { conclude, type DialogueEnd, unknownOutcome } from './conclude.ts';
export { decimalOf, minorOf } from './decimal.ts';
export { type DecodedPart, type Decoder, defineTerminal, type TerminalManifest } from './define.ts';
export { customerMs, httpPath } from './device-options.ts';
export { Exchange, type FrameSource, linkLost } from './exchange.ts';
export { ExchangeLine, type Framing, type TakeFrame } from './exchange-line.ts';
export { garbled, stillBusy } from './garbled.ts';
export { goesOnFor } from './goes-on.ts';
export { concatBytes, fromHex, toHex } from './hex.ts';
export { type HttpAnswer, HttpAnswerReader } from './http-answer.ts';
export { Inbox, reasonOf, type TimeLimit } from './inbox.ts';
export { isoTime } from './iso-time.ts';
export { JsonLine, type JsonProtocol } from './json-line.ts';
export {
  decodeJson,
  isObject,
  type JsonMeaning,
  type JsonObject,
  jsonObject,
  maskedJson,
} from './json-message.ts';
export { LengthFraming, LengthReader } from './length-reader.ts';
export { type MoneyResponse, outcomeOf } from './money-response.ts';
export { closeOnce, notClosed, payOnce, type Sending, unclearClose } from './once.ts';
export { PerExchange } from './per-exchange.ts';
export { type Present, present } from './present.ts';
export { BUSY, needsPerson, READY } from './readiness.ts';
export { type HttpRequest, RequestLine } from './request-line.ts';
export { openIdentified, RequestSession } from './request-session.ts';
export { type ResultCodes, resultCodes } from './result-codes.ts';
export {
  decryptAes,
  encryptAes,
  fromBase64,
  hmacSha256,
  isSameBytes,
  keyOfPassphrase,
  randomBytes,
  toBase64,
} from './sealing.ts';
export { decodeStx, type StxMeaning } from './stx-decoder.ts';
export {
  encodeControl,
  encodeStx,
  readStxPacket,
  type StxFraming,
  type StxNotice,
  type StxPacket,
  StxReader,
} from './stx-framing.ts';
export { ACK, type Handed, type LineEvent, NAK, StxLine, type StxLineTimes } from './stx-line.ts';
export {
  encodeTextTlv,
  readTextTlv,
  TextTlvCollector,
  type TextTlvElement,
  type TextTlvRules,
} from './text-tlv.ts';
export {
  type FrameRecorder,
  frameRecorder,
  type MessageRecorder,
  messageRecorder,
  transcriptLine,
} from './transcript.ts';
export { publishedUsbIds } from './usb-ids.ts';
