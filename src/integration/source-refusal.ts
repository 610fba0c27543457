import { AppError, messageOf } from '../base/errors.ts';
import type { ProviderCredentials } from './connector.ts';

/** The provider's words are for a person, and no novel. */
const MOST_WORDS = 500;

/** True where it is the source that gave nothing, whatever the reason. */
export function isOfSource(error: unknown): error is AppError {
  return error instanceof AppError && error.code.startsWith('SOURCE_');
}

/**
 * What the provider says to a credential. A source that cannot be reached is no valid credential either, and says why; a provider that
 * repeats the credential in its words does not get it shown.
 */
export async function testedWith(
  { apiKey }: ProviderCredentials,
  test: () => Promise<{ readonly valid: boolean; readonly error: string }>,
): Promise<{ readonly valid: boolean; readonly error: string }> {
  try {
    const { valid, error } = await test();
    return { valid, error: valid ? '' : without(apiKey, error || 'the provider refuses it') };
  } catch (error) {
    if (!isOfSource(error)) throw error;
    return { valid: false, error: without(apiKey, messageOf(error)) };
  }
}

/** A key of one or two letters is in every word. */
function without(secret: string, words: string): string {
  const cut = secret.length < 3 ? words : words.replaceAll(secret, '…');
  return cut.slice(0, MOST_WORDS);
}
