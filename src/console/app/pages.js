import { t } from './words.js';

/** @import { ComponentType } from 'preact' */
/** @import { Role } from './contract.js' */
/** @import { Shop } from './shop.js' */

/**
 * @typedef {object} Page
 * @property {string} id first part of its address: `#/till`
 * @property {() => string} title in the language of the page
 * @property {Role} role the least role that sees it
 * @property {(shop: Shop) => boolean} [isThere] whether it has content; absent: always
 * @property {() => Promise<{ Page: ComponentType }>} load its module, which exports `Page`
 */

/** Every page, in the order of the navigation; the first one is the start page. @type {readonly Page[]} */
export const PAGES = [
  {
    id: 'till',
    title: () => t('page_till'),
    role: 'staff',
    load: () => import('../till/page.js'),
  },
  {
    id: 'day',
    title: () => t('page_day'),
    role: 'lead',
    load: () => import('../day/page.js'),
  },
  {
    id: 'ops',
    title: () => t('page_ops'),
    role: 'lead',
    load: () => import('../ops/page.js'),
  },
  {
    id: 'repairs',
    title: () => t('page_repairs'),
    role: 'staff',
    load: () => import('../repairs/page.js'),
  },
  {
    id: 'virtual',
    title: () => t('page_virtual'),
    role: 'staff',
    isThere: (shop) => shop.hasVirtualTerminals.value,
    load: () => import('../virtual/page.js'),
  },
];
