import { open as openQueue } from './bunqueue.mjs';

/** With the option that the library offers for jobs that must not be lost. */
export const open = (path) => openQueue(path, { durable: true });
