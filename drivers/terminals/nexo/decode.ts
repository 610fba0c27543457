import {
  type Decoder,
  decodeJson,
  isObject,
  type JsonMeaning,
  malformed,
} from '../../../src/driver-kit/terminal.ts';

/** A message of the protocol: `{"SaleToPOIRequest": {"MessageHeader": …, "PaymentRequest": …}}`, alone or with its HTTP. */
export const decode: Decoder = (bytes, layer) => decodeJson(bytes, layer, meaningOf);

export const meaningOf: JsonMeaning = (document) => {
  const root = document['SaleToPOIRequest'] ?? document['SaleToPOIResponse'];
  if (!isObject(root)) throw malformed(0, 'no message of the protocol');
  const { MessageHeader: header, ...contents } = root;
  if (!isObject(header)) throw malformed(0, 'the message has no header');
  const { MessageCategory, MessageType, SaleID, ServiceID, POIID } = header;
  const name = [MessageCategory, MessageType].map(wordOf).join(' ');
  return { kind: 'nexo', name, fields: { SaleID, ServiceID, POIID, ...contents } };
};

/** A word of the protocol; anything else may be anything. */
function wordOf(value: unknown): string {
  return typeof value === 'string' && /^[A-Za-z]{1,40}$/.test(value) ? value : 'unknown';
}
