/** The skeleton's own name. */
export const PLACEHOLDER = 'sample';

/** The text of a skeleton, or one of its paths, with the driver's name in the place of the skeleton's. */
export function renamed(text: string, name: string): string {
  const capital = (word: string) => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`;
  return text.replaceAll(PLACEHOLDER, name).replaceAll(capital(PLACEHOLDER), capital(name));
}
