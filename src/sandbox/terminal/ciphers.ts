/**
 * What virtual terminals encrypt with: Node's own, because they may not share the code of the drivers.
 * @module
 */
export { createCipheriv, createDecipheriv, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
