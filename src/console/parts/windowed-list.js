import { h } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

/** @import { ComponentChildren } from 'preact' */

/** Rendered rows above and below the visible ones. */
const BEYOND = 8;
/** Rows left below the visible ones when the list requests more. */
const EARLY = 40;
/** Row height before the first measurement. */
const USUAL_ROW_PX = 68;

/**
 * A list of any length that renders only its visible rows. All rows have one height, which is measured, so that the list follows
 * zoom and larger type.
 * @param {object} props
 * @param {readonly string[]} props.ids
 * @param {string} props.label
 * @param {(id: string) => ComponentChildren} props.row
 * @param {() => void} props.atEnd called when the end is near; may be called often
 */
export function WindowedList({ ids, label, row, atEnd }) {
  const box = useRef(/** @type {HTMLUListElement | null} */ (null));
  const size = useRef({ height: 800, rowPx: USUAL_ROW_PX });
  const [seen, setSeen] = useState({ from: 0, to: Math.ceil(800 / USUAL_ROW_PX), rowPx: USUAL_ROW_PX });
  const look = () => {
    const { height, rowPx } = size.current;
    const top = box.current?.scrollTop ?? 0;
    const next = { from: Math.floor(top / rowPx), to: Math.ceil((top + height) / rowPx), rowPx };
    setSeen((before) => (isSame(before, next) ? before : next));
  };
  // Only here: it forces a layout of the page, which must not delay a scroll.
  const measure = () => {
    const element = box.current;
    if (!element) return;
    const first = element.querySelector('li[data-row]');
    const rowPx = first?.getBoundingClientRect().height || USUAL_ROW_PX;
    size.current = { height: element.clientHeight, rowPx };
    look();
  };
  useEffect(() => {
    const watch = new ResizeObserver(measure);
    const row = box.current?.querySelector('li[data-row]');
    if (box.current) watch.observe(box.current);
    if (row) watch.observe(row);
    return () => watch.disconnect();
  }, [ids.length === 0]);
  const first = Math.max(0, seen.from - BEYOND);
  const last = Math.min(ids.length, seen.to + BEYOND);
  useEffect(() => {
    if (last + EARLY >= ids.length) atEnd();
  }, [last, ids.length]);
  return h(
    'ul',
    { ref: box, class: 'rows windowed', 'aria-label': label, tabIndex: 0, onScroll: look },
    h(Space, { px: first * seen.rowPx }),
    ids
      .slice(first, last)
      .map((id, index) =>
        h(
          'li',
          { key: id, 'data-row': '', 'aria-posinset': first + index + 1, 'aria-setsize': ids.length },
          row(id),
        ),
      ),
    h(Space, { px: (ids.length - last) * seen.rowPx }),
  );
}

/**
 * @param {{ from: number, to: number, rowPx: number }} one
 * @param {{ from: number, to: number, rowPx: number }} other
 */
function isSame(one, other) {
  return one.from === other.from && one.to === other.to && one.rowPx === other.rowPx;
}

/** Takes the space of rows that are not rendered. @param {{ px: number }} props */
function Space({ px }) {
  return h('li', { role: 'presentation', 'aria-hidden': 'true', style: { height: `${px}px` } });
}
