/** A bug to be planted in the product's own source, for one run. */
export interface Plant {
  readonly name: string;
  /** Path in the repository, with forward slashes. */
  readonly file: string;
  /** Text that is in that file exactly once. */
  readonly find: string;
  readonly replace: string;
}

/**
 * The source with the bug in it.
 * @throws Error when the text is not there exactly once, or nothing would change: a mutant that has drifted proves nothing.
 */
export function planted(source: string, { name, file, find, replace }: Plant): string {
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
  const field = (name: string) => {
    const value: unknown = Reflect.get(Object(plant), name);
    if (typeof value !== 'string') throw new Error(`a mutant without "${name}"`);
    return value;
  };
  return { name: field('name'), file: field('file'), find: field('find'), replace: field('replace') };
}
