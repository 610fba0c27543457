import { AppError, messageOf } from '../../base/errors.ts';
import type { ProviderCredentials } from '../connector.ts';

/** The longest text of a provider that a person gets. */
const MOST_WORDS = 500;

/** True for any error of the source. */
export function isOfSource(error: unknown): error is AppError {
  return error instanceof AppError && error.code.startsWith('SOURCE_');
}

/**
 * The provider's answer to a credential. A source that cannot be reached makes the credential invalid, too, with the reason; a credential that the
 * provider repeats in its text is removed from it.
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

/** A key of one or two letters occurs in every word. */
function without(secret: string, words: string): string {
  const cut = secret.length < 3 ? words : words.replaceAll(secret, '…');
  return cut.slice(0, MOST_WORDS);
}
