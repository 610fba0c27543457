import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** One list of the project that names every driver, and how to add an entry. */
interface List {
  readonly file: string;
  /** The import that it needs. */
  readonly imports: string;
  /** Where the array starts; its first `]` at the end of a line ends it. */
  readonly array: RegExp;
  readonly item: string;
}

/** A checked list. `byHand`: its form is not the expected one, and a developer must add this. */
export interface Entered {
  readonly file: string;
  readonly byHand?: string;
}

/** Adds a driver to every list. */
export function enterInLists(root: string, name: string): readonly Entered[] {
  return listsFor(name).map((list) => {
    const path = join(root, list.file);
    const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
    const entered = withEntry(text, list);
    if (entered === null) return { file: list.file, byHand: `${list.imports} … ${list.item}` };
    writeFileSync(path, entered);
    return { file: list.file };
  });
}

function listsFor(name: string): readonly List[] {
  return [
    {
      file: 'drivers/index.ts',
      imports: `import { ${name} } from './terminals/${name}/manifest.ts';`,
      array: /terminalDrivers: readonly TerminalManifest\[\] = \[/,
      item: name,
    },
    {
      file: 'drivers/virtual.ts',
      imports: '',
      array: /virtualTerminals: readonly VirtualFamily\[\] = \[/,
      item: `{
    protocol: '${name}',
    options: z.strictObject({}),
    load: async () => (await import('./terminals/${name}/virtual.ts')).${name}Dialect(),
  }`,
    },
    {
      file: 'test/conformance/subjects/list.ts',
      imports: `import { ${name}OverSerial, ${name}OverTcp } from './${name}.ts';`,
      array: /subjects: readonly Subject\[\] = \[/,
      item: `${name}OverTcp, ${name}OverSerial`,
    },
  ];
}

/** The text with the import after the others and the item at the end of the array; null when there is no such array. */
function withEntry(text: string, { imports, array, item }: List): string | null {
  const begins = array.exec(text);
  if (!begins) return null;
  const from = begins.index + begins[0].length;
  const end = text.slice(from).search(/\s*\];/);
  if (end === -1) return null;
  const inside = text.slice(from, from + end).replace(/,\s*$/, '');
  const filled = `${text.slice(0, from)}${inside}${inside.trim() === '' ? '' : ', '}${item}${text.slice(from + end)}`;
  return imports === '' ? filled : withImport(filled, imports);
}

function withImport(text: string, line: string): string {
  const lines = text.split('\n');
  const last = lines.findLastIndex((candidate) => /^(import |\} from )/.test(candidate));
  return lines.toSpliced(last + 1, 0, line).join('\n');
}
