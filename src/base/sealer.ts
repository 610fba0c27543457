/** Encrypts secrets, so that the database or a backup of it is not enough to read them without the key beside it. */
export interface Sealer {
  /** Encrypts text for one purpose; only the same purpose decrypts it. @throws SEAL_KEY_UNUSABLE */
  seal(text: string, purpose: string): string;
  /** @throws SEAL_BROKEN when it was altered, or sealed with another key or for another purpose; SEAL_KEY_UNUSABLE */
  open(sealed: string, purpose: string): string;
}
