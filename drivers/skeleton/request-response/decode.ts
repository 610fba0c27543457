import { type Decoder, decodeJson, type JsonMeaning, malformed } from '../../../src/driver-kit/terminal.ts';

/** A request or a response, alone or with its HTTP. */
export const decode: Decoder = (bytes, layer) => decodeJson(bytes, layer, meaningOf);

export const meaningOf: JsonMeaning = (document) => {
  const { id, do: wanted, ...fields } = document;
  if (typeof id !== 'string') throw malformed(0, 'the message has no id');
  if (wanted === undefined) return { kind: 'response', name: 'Response', fields: { id, ...fields } };
  return { kind: 'request', name: `Request ${String(wanted)}`, fields: { id, ...fields } };
};
