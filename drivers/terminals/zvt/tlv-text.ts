import type { BitmapField } from './bitmaps.ts';
import type { TlvNode } from './tlv.ts';

/** The raw text lines (tag 07) of every container with `tag` (24 display, 25 print) in the message, in their order. */
export function textLinesOf(fields: readonly BitmapField[], tag: string): readonly Uint8Array[] {
  return fields.flatMap((field) => linesOf(field.tlv ?? [], tag));
}

function linesOf(nodes: readonly TlvNode[], tag: string): readonly Uint8Array[] {
  return nodes.flatMap((node) => {
    if (node.tag !== tag) return linesOf(node.children ?? [], tag);
    return (node.children ?? []).filter((child) => child.tag === '07').map((child) => child.value);
  });
}
