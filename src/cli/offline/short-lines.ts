const WIDEST = 120;

/** JSON as a person writes it: what fits into a line is one, and so are texts and numbers side by side. */
export function shortLines(value: unknown, indent = ''): string {
  const line = oneLine(value);
  if (typeof value !== 'object' || value === null || (indent.length + line.length <= WIDEST && isFlat(value)))
    return line;
  const inner = `${indent}  `;
  const isList = Array.isArray(value);
  const lines: { text: string; isOpen: boolean }[] = [];
  for (const [name, one] of Object.entries(value)) {
    const text = `${isList ? '' : `${JSON.stringify(name)}: `}${shortLines(one, inner)}`;
    const isOpen = typeof one !== 'object' || one === null;
    const last = lines.at(-1);
    const joined = last?.isOpen && isOpen ? `${last.text}, ${text}` : null;
    if (last && joined !== null && inner.length + joined.length < WIDEST) last.text = joined;
    else lines.push({ text, isOpen });
  }
  const body = lines.map(({ text }) => `${inner}${text}`).join(',\n');
  return isList ? `[\n${body}\n${indent}]` : `{\n${body}\n${indent}}`;
}

function oneLine(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(oneLine).join(', ')}]`;
  const pairs = Object.entries(value).map(([name, one]) => `${JSON.stringify(name)}: ${oneLine(one)}`);
  return pairs.length === 0 ? '{}' : `{ ${pairs.join(', ')} }`;
}

/** Nested at most once: deeper ones are easier to change on lines of their own. */
function isFlat(value: object, depth = 1): boolean {
  return Object.values(value).every(
    (one) => typeof one !== 'object' || one === null || (depth > 0 && isFlat(one, depth - 1)),
  );
}
