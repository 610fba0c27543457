import { rest } from '../../../drivers/providers/rest/manifest.ts';
import { service } from '../../../drivers/providers/service/manifest.ts';
import { CATALOGUE } from './catalogue.ts';
import type { Documented } from './documented.ts';
import { POSTED } from './posted-subjects.ts';
import { iso, plain, restSubject, type Subject, since } from './rest-subject.ts';

const size = { size: 10, sizeParameter: 'size' };

const RECIPES: readonly Subject[] = [
  restSubject('offset', { style: 'offset', offset: 'offset', ...size }, {}),
  restSubject('offset with a total', { style: 'offset', offset: 'offset', total: 'total', ...size }, {}),
  restSubject('page', { style: 'page', page: 'page', ...size }, {}),
  restSubject(
    'cursor in the answer',
    { style: 'cursor', cursor: 'cursor', next: 'cursor', hasMore: 'more', ...size },
    {},
  ),
  restSubject('cursor of the last id', { style: 'cursor', cursor: 'cursor', ...size }, {}),
  restSubject('link in the header', { style: 'link', ...size }, { place: 'page' }),
  restSubject('link in the answer', { style: 'link', next: 'next', ...size }, { place: 'page' }),
  restSubject('whole', { style: 'whole' }, {}),
];

const WORKED: readonly Subject[] = [
  {
    name: 'the recipe of Cliniko',
    manifest: rest,
    settings: { recipe: 'cliniko' },
    apiKey: 'MS0xLWl4SzYYYYdtR3V2HNOTAREALKEY-au2',
    prefix: '/v1',
    resource: 'customers',
    asksForChanges: true,
    everyFault: false,
    dialect: {
      path: '/v1/patients',
      style: 'link',
      size: 100,
      place: 'page',
      sizeName: 'per_page',
      row: ({ id, changedMs }) => ({
        id: String(id),
        first_name: 'Peter',
        last_name: `Patientman ${id}`,
        email: 'peter@example.com',
        deleted_at: '',
        updated_at: iso(changedMs).replace('.000', ''),
        patient_phone_numbers: [{ phone_type: 'Mobile', number: '61444444444' }],
        links: { self: `https://api.au1.cliniko.com/v1/patients/${id}` },
      }),
      page: (items, { total, nextAddress }) => ({
        body: {
          patients: items,
          total_entries: total,
          links: nextAddress === null ? {} : { next: nextAddress },
        },
      }),
      since: since('q[]'),
    },
  },
  {
    name: 'the recipe of WooCommerce',
    manifest: rest,
    settings: { recipe: 'woocommerce' },
    apiKey: 'ck_0123456789:cs_9876543210',
    prefix: '/wp-json/wc/v3',
    resource: 'products',
    asksForChanges: true,
    everyFault: false,
    dialect: {
      path: '/wp-json/wc/v3/products',
      style: 'link',
      size: 100,
      place: 'page',
      sizeName: 'per_page',
      row: ({ id, changedMs }) => ({
        id,
        name: 'Premium Quality',
        sku: `SKU-${id}`,
        status: 'publish',
        price: '21.99',
        date_modified_gmt: iso(changedMs).slice(0, 19),
        _links: {},
      }),
      page: (items, { nextAddress }) => ({
        body: items,
        headers: nextAddress === null ? {} : { link: `<${nextAddress}>; rel="next"` },
      }),
      since: (query) => {
        const text = query.get('modified_after');
        return text === null ? null : Date.parse(`${text}Z`) + 1;
      },
    },
  },
];

function serviceSubject(
  resource: string,
  style: 'offset' | 'page' | 'cursor',
  shape: 'list object' | 'pagination block',
): Subject {
  return {
    name: `the billing service's ${resource}, ${style}, ${shape}`,
    manifest: service,
    settings: {},
    apiKey: 'rk_sandbox_secret',
    prefix: '/v2',
    resource,
    asksForChanges: false,
    everyFault: resource === 'invoices',
    dialect: {
      path: `/v2/${resource}`,
      style,
      size: 100,
      place: style === 'cursor' ? 'starting_after' : style,
      sizeName: 'limit',
      row: plain,
      page: (items, { hasMore, total }) => ({
        body:
          shape === 'list object'
            ? { object: 'list', data: items, has_more: hasMore, url: `/v2/${resource}` }
            : { data: items, pagination: { limit: 100, total, ...(style === 'offset' ? {} : { hasMore }) } },
      }),
      since: () => null,
    },
  };
}

const SERVICE: readonly Subject[] = [
  serviceSubject('invoices', 'offset', 'list object'),
  serviceSubject('customers', 'offset', 'pagination block'),
  serviceSubject('products', 'page', 'list object'),
  serviceSubject('prices', 'cursor', 'list object'),
  serviceSubject('prices', 'cursor', 'pagination block'),
];

function subjectOf(one: Documented): Subject {
  const { recipe, settings, apiKey, prefix, main, isTimeless = false, failures, since } = one;
  const list = one.lists[main];
  if (!list) throw new Error(`${recipe} has no list of ${main}`);
  return {
    name: `the recipe ${recipe}`,
    manifest: rest,
    settings,
    apiKey,
    prefix,
    resource: main,
    asksForChanges: since !== undefined,
    everyFault: false,
    isTimeless,
    ...(failures ? { failures } : {}),
    dialect: {
      path: prefix + list.path,
      style: one.style,
      size: 100,
      place: one.place,
      sizeName: one.sizeName,
      row: one.row,
      page: (items, facts) => one.page(items, facts, list.key),
      ...(one.asked ? { asked: one.asked } : {}),
      since: since ?? (() => null),
    },
  };
}

const CATALOGUE_SUBJECTS = CATALOGUE.map(subjectOf);

/** Every connector that reads over HTTP, in every way in which it reads. */
export const SUBJECTS: readonly Subject[] = [
  ...RECIPES,
  ...POSTED,
  ...WORKED,
  ...CATALOGUE_SUBJECTS,
  ...SERVICE,
];
