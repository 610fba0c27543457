/** Makes secrets unreadable for whoever has the database, or a backup of it, without the key beside it. */
export interface Sealer {
  /** Seals text for one purpose, under which alone it opens again. @throws SEAL_KEY_UNUSABLE */
  seal(text: string, purpose: string): string;
  /** @throws SEAL_BROKEN when it was altered, or sealed with another key or for another purpose; SEAL_KEY_UNUSABLE */
  open(sealed: string, purpose: string): string;
}
