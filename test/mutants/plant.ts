/** A bug to be planted in the product's own source, for one run. */
export interface Plant {
  readonly name: string;
  /** Path in the repository, with forward slashes. */
  readonly file: string;
  /** Text that is in that file exactly once. */
  readonly find: string;
  readonly replace: string;
  /** More places of the same file: a rule that is held twice is broken only where both are. */
  readonly also?: readonly { readonly find: string; readonly replace: string }[];
}

/**
 * The source with the bug in it.
 * @throws Error when the text is not there exactly once, or nothing would change: a mutant that has drifted proves nothing.
 */
export function planted(source: string, { name, file, find, replace, also = [] }: Plant): string {
  return [{ find, replace }, ...also].reduce((text, edit) => replaced(text, name, file, edit), source);
}

function replaced(
  source: string,
  name: string,
  file: string,
  { find, replace }: { readonly find: string; readonly replace: string },
): string {
  const pieces = source.split(find);
  if (find === '' || pieces.length === 1) throw new Error(`mutant ${name}: its text is not in ${file}`);
  if (pieces.length > 2)
    throw new Error(`mutant ${name}: its text is ${pieces.length - 1} times in ${file}, not once`);
  if (find === replace) throw new Error(`mutant ${name}: it changes nothing in ${file}`);
  return pieces.join(replace);
}

/**
 * A plant as it travels through the environment.
 * @throws Error when it is none.
 */
export function readPlant(text: string): Plant {
  const plant: unknown = JSON.parse(text);
  const more: unknown = Reflect.get(Object(plant), 'also') ?? [];
  if (!Array.isArray(more)) throw new Error('a mutant whose "also" is no list');
  const names = { name: fieldOf(plant, 'name'), file: fieldOf(plant, 'file') };
  return { ...names, ...editOf(plant), also: more.map(editOf) };
}

function editOf(edit: unknown): { readonly find: string; readonly replace: string } {
  return { find: fieldOf(edit, 'find'), replace: fieldOf(edit, 'replace') };
}

function fieldOf(plant: unknown, name: string): string {
  const value: unknown = Reflect.get(Object(plant), name);
  if (typeof value !== 'string') throw new Error(`a mutant without "${name}"`);
  return value;
}
