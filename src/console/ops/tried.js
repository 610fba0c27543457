import { ApiError } from '../app/api.js';
import { t } from './words.js';

/** @import { Api } from '../app/api.js' */

/**
 * Asks the provider with a typed credential before it takes the place of the stored one.
 * @param {Api} api
 * @param {string} path of the integration
 * @param {{ apiKey: string, baseUrl?: string, appName?: string, appEmail?: string }} credentials
 */
export async function tried(api, path, credentials) {
  const { valid, error } = await api.post(`${path}/test`, { credentials });
  if (!valid) throw new ApiError(400, 'credential_not_accepted', t('key_not_accepted', { error }));
}
