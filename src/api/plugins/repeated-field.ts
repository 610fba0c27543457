/** One string, with the colon that makes it a name, or one bracket. Text between these tokens is no name. */
const TOKEN = /"([^"\\]*(?:\\.[^"\\]*)*)"[ \t\r\n]*(:)?|[{}[\]]/g;

/**
 * The name of a field that occurs twice in one object of a valid JSON text, if any. JSON.parse keeps the last one, other readers the
 * first: a proxy that checked the request may have seen another amount.
 */
export function repeatedField(json: string): string | undefined {
  const open: Set<string>[] = [];
  for (const [token, written, colon] of json.matchAll(TOKEN)) {
    if (token === '{' || token === '[') open.push(new Set());
    else if (token === '}' || token === ']') open.pop();
    else if (colon !== undefined && written !== undefined) {
      const name = written.includes('\\') ? String(JSON.parse(`"${written}"`)) : written;
      if (open.at(-1)?.has(name)) return name;
      open.at(-1)?.add(name);
    }
  }
  return undefined;
}
