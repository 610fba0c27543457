import type { BitmapField } from './bitmaps.ts';
import type { TlvNode } from './tlv.ts';

/** Tag of one line of text. */
const TEXT = '07';
/** Tag of the print attribute of the lines after it. */
const ATTRIBUTE = '09';

/** The raw text lines (tag 07) of every container with `tag` in the message, in their order. */
export function textLinesOf(fields: readonly BitmapField[], tag: '24'): readonly Uint8Array[] {
  return elementsOf(fields, tag)
    .filter((node) => node.tag === TEXT)
    .map((node) => node.value);
}

/** Lines (07) and attributes (09) of every print container (25), in their order. */
export function printedElements(fields: readonly BitmapField[]): readonly TlvNode[] {
  return elementsOf(fields, '25').filter(({ tag }) => tag === TEXT || tag === ATTRIBUTE);
}

function elementsOf(fields: readonly BitmapField[], tag: string): readonly TlvNode[] {
  return fields.flatMap((field) => within(field.tlv ?? [], tag));
}

function within(nodes: readonly TlvNode[], tag: string): readonly TlvNode[] {
  return nodes.flatMap((node) => {
    const children = node.children ?? [];
    return node.tag === tag ? children : within(children, tag);
  });
}
