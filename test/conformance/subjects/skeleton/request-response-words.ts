import type { Reader, TerminalPacket, TillPacket } from '../../words.ts';

/** A connection carries one request. */
export function sampleTillReader(): Reader<TillPacket> {
  return wholeJson((text) => ({ word: /"do":"sale"/.test(text) ? 'money' : 'question' }));
}

/** Nothing answers a response. A result that was asked for with `find` or `last` is no result of a sale. */
export function sampleTerminalReader(): Reader<TerminalPacket> {
  return wholeJson((text) => {
    const [, id, reference] = /"id":"([^"]*)","result":\{"reference":"([^"]*)"/.exec(text) ?? [];
    if (/"refused":/.test(text)) return { word: 'refused', asks: false };
    return { word: id !== undefined && id === reference ? 'result' : 'other', asks: false };
  });
}

/** Names what a connection carried once its body is whole; written once more on purpose. */
function wholeJson<Packet>(packetOf: (text: string) => Packet): Reader<Packet> {
  let text = '';
  let isReported = false;
  return {
    read: (bytes) => {
      text += String.fromCharCode(...bytes);
      const [head = '', ...body] = text.split('\r\n\r\n');
      const length = Number(/content-length: *(\d+)/i.exec(head)?.[1] ?? Number.NaN);
      if (isReported || !(body.join('\r\n\r\n').length >= length)) return [];
      isReported = true;
      return [packetOf(text)];
    },
  };
}
