import { ask } from './api.js';
import { element, table } from './element.js';
import { t } from './words.js';

/** @typedef {'shops' | 'payments' | 'rollouts'} Listed */

/**
 * A list of the hub as a table: the next page is read when its end comes into view, or with the button there.
 * @template T
 * @param {Listed} listed
 * @param {readonly string[]} columns
 * @param {(item: T) => HTMLTableRowElement} rowOf
 * @param {(error: unknown) => void} failed
 * @param {string} [path] where the hub has the list
 * @returns {{ readonly element: HTMLElement, readonly read: (query: URLSearchParams) => Promise<void> }} `read` begins anew, and fails as its request does
 */
export function pagedTable(listed, columns, rowOf, failed, path = `/v1/${listed}`) {
  const body = element('tbody');
  const count = element('p', { role: 'status', class: 'quiet' });
  const more = element(
    'button',
    { type: 'button', class: 'button', hidden: true, onclick: () => next() },
    t('more'),
  );
  let turn = 0;
  let isReading = false;
  let query = new URLSearchParams();
  new IntersectionObserver((seen) => {
    if (seen.some(({ isIntersecting }) => isIntersecting)) next();
  }).observe(more);

  function next() {
    if (!isReading && !more.hidden) readPage().catch(failed);
  }

  async function readPage() {
    const own = turn;
    isReading = true;
    try {
      /** @type {import('./api.js').Page<T>} */
      const page = await ask('GET', `${path}?${query}`);
      if (own !== turn) return;
      if (!query.has('starting_after')) body.replaceChildren();
      body.append(...page.data.map(rowOf));
      more.hidden = !page.has_more;
      query.set('starting_after', page.next_cursor ?? '');
      const shown = { count: body.children.length };
      const words = page.has_more ? t(`${listed}_more`, shown) : t(`${listed}_count`, shown);
      count.textContent = shown.count === 0 ? t(`${listed}_none`) : words;
    } finally {
      if (own === turn) isReading = false;
    }
  }

  return {
    element: element('div', { class: 'stack' }, table(t(listed), columns, body), count, more),
    async read(wanted) {
      turn += 1;
      query = new URLSearchParams(wanted);
      await readPage();
    },
  };
}
