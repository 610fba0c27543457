/** What people named; several may have the same name. */
interface Named {
  readonly name: string;
}

/** A name as one word of a command line: `Counter-1` for `Counter 1`. */
export function oneWord(name: string): string {
  return name.trim().replaceAll(/\s+/g, '-');
}

/** How a name is compared: as it is, without regard to capital and small letters, as one word. */
const FORMS: readonly ((name: string) => string)[] = [
  (name) => name.trim().normalize('NFC'),
  (name) => name.trim().normalize('NFC').toLocaleLowerCase('en'),
  (name) => oneWord(name).normalize('NFC').toLocaleLowerCase('en'),
];

/** Those who have this name: a name that is written alike comes before one that is only similar. */
export function withName<T extends Named>(list: readonly T[], wanted: string): readonly T[] {
  for (const form of FORMS) {
    const found = list.filter(({ name }) => form(name) === form(wanted));
    if (found.length > 0) return found;
  }
  return [];
}
