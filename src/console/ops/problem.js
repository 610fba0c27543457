import { h } from 'preact';

/** Screen readers announce it at once; empty while there is none. @param {{ problem: string }} props */
export function Problem({ problem }) {
  return h('p', { class: 'problem', role: 'alert' }, problem);
}

/** The completed action, for screen readers and on the screen. @param {{ done: string }} props */
export function Done({ done }) {
  return h('p', { class: 'done', role: 'status' }, done);
}
