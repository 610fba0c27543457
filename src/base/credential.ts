/** A key of ours or of the service, or a signing secret, with enough behind its prefix to be one. */
const CREDENTIAL = /(rk_(?:live|sandbox)_|whsec_)[0-9A-Za-z_+/=-]{16,}/g;

/** Cuts what looks like a credential out of free text: its kind stays, what opens a door goes. */
export function maskCredentials(text: string): string {
  return text.replace(CREDENTIAL, '$1[cut]');
}
