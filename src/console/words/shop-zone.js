import { signal } from '@preact/signals-core';

/**
 * The time zone of the shop; until tilld has said it, that of this screen. A screen elsewhere shows the times that the shop reads.
 * @type {import('@preact/signals-core').Signal<string | undefined>}
 */
export const shopZone = signal(/** @type {string | undefined} */ (undefined));
