import { h } from 'preact';

/** Said at once by screen readers; nothing while there is none. @param {{ problem: string }} props */
export function Problem({ problem }) {
  return h('p', { class: 'problem', role: 'alert' }, problem);
}

/** What was done, for screen readers and eyes. @param {{ done: string }} props */
export function Done({ done }) {
  return h('p', { class: 'done', role: 'status' }, done);
}
