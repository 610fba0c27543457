/** An API key of tilld or of the service, or a signing secret: the prefix and at least 16 characters. */
const CREDENTIAL = /(rk_(?:live|sandbox)_|whsec_)[0-9A-Za-z_+/=-]{16,}/g;

/** Removes what looks like a credential from free text: the prefix that names its kind stays, the secret is cut. */
export function maskCredentials(text: string): string {
  return text.replace(CREDENTIAL, '$1[cut]');
}
