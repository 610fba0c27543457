import { t } from './words.js';

/** @import { ComponentType } from 'preact' */
/** @import { Role } from './contract.js' */

/**
 * @typedef {object} Page
 * @property {string} id first part of its address: `#/till`
 * @property {() => string} title in the language of the page
 * @property {Role} role the least role that sees it
 * @property {() => Promise<{ Page: ComponentType }>} load its module, which exports `Page`
 */

/** Every page, in the order of the navigation; the first one is where everybody begins. @type {readonly Page[]} */
export const PAGES = [
  {
    id: 'till',
    title: () => t('page_till'),
    role: 'staff',
    load: () => import('../till/page.js'),
  },
];
