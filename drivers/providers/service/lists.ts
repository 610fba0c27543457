/** The pagination style of one list of the service, and its path. */
export interface ServiceList {
  readonly path: string;
  readonly style: 'offset' | 'page' | 'cursor';
  /** One record is available under `path/{id}`. */
  readonly hasOne: boolean;
}

/**
 * The lists that can be mirrored. Where the interface states no style (orders, mandates, devices besides their own entry), the style of a
 * similar list is used; both can be overridden in the settings. `payments` are the payment intents.
 */
export const LISTS = {
  invoices: { path: '/invoices', style: 'offset', hasOne: true },
  customers: { path: '/customers', style: 'offset', hasOne: true },
  products: { path: '/products', style: 'page', hasOne: true },
  prices: { path: '/prices', style: 'cursor', hasOne: true },
  subscriptions: { path: '/subscriptions', style: 'page', hasOne: true },
  orders: { path: '/orders', style: 'offset', hasOne: true },
  payments: { path: '/payment-intents', style: 'cursor', hasOne: true },
  disputes: { path: '/disputes', style: 'offset', hasOne: true },
  payouts: { path: '/payouts', style: 'offset', hasOne: true },
  mandates: { path: '/mandates', style: 'offset', hasOne: true },
  entitlements: { path: '/entitlements', style: 'offset', hasOne: false },
  transactions: { path: '/transactions', style: 'cursor', hasOne: true },
  devices: { path: '/terminal-devices', style: 'offset', hasOne: true },
} as const satisfies Record<string, ServiceList>;

export type ListName = keyof typeof LISTS;

export const LIST_NAMES = Object.keys(LISTS).filter((name): name is ListName => Object.hasOwn(LISTS, name));
