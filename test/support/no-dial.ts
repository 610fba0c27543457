import type { OpenLink } from '../../src/terminal/link.ts';

/** For drivers that keep their one connection: nobody opens another. */
export const noDial: OpenLink = () => Promise.reject(new Error('this driver keeps its connection'));
