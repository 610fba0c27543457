const WIDEST = 120;

/** JSON as a person writes it: what fits into a line is one. */
export function shortLines(value: unknown, indent = ''): string {
  const line = oneLine(value);
  if (typeof value !== 'object' || value === null || (indent.length + line.length <= WIDEST && isFlat(value)))
    return line;
  const inner = `${indent}  `;
  const isList = Array.isArray(value);
  const parts = Object.entries(value).map(
    ([name, one]) => `${inner}${isList ? '' : `${JSON.stringify(name)}: `}${shortLines(one, inner)}`,
  );
  return isList ? `[\n${parts.join(',\n')}\n${indent}]` : `{\n${parts.join(',\n')}\n${indent}}`;
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
