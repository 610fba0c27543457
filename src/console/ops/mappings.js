import { Fragment, h } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { useConsole } from '../app/console.js';
import { useAction } from '../parts/action.js';
import { useReading } from '../parts/reading.js';
import { MappingChanges } from './mapping-changes.js';
import { diffMappings, inputOf, MappingsUnreadable, readMappings } from './mapping-diff.js';
import { MappingTable } from './mapping-table.js';
import { Done, Problem } from './problem.js';
import { t } from './words.js';

/** @import { MappingDiff, MappingInput } from './mapping-diff.js' */
/** @typedef {{ before: readonly MappingInput[], after: readonly MappingInput[], diff: MappingDiff }} Proposal */

/** The product of each package, one by one or as a whole set. @param {{ path: string }} props */
export function Mappings({ path }) {
  const { document, again } = useReading(`${path}/product-mappings`, 0);
  return h(
    'section',
    { class: 'card', 'aria-label': t('mappings') },
    h('h2', {}, t('mappings')),
    h('p', { class: 'quiet' }, t('mappings_words', { count: document?.data.length ?? 0 })),
    h(MappingTable, { path, mappings: document?.data ?? [], again }),
    h(WholeSet, { path, again }),
  );
}

/**
 * A whole set: the user pastes it or chooses a file, compares it, and applies it.
 * @param {{ path: string, again: () => void }} props `again` reads the mappings after they were applied
 */
function WholeSet({ path, again }) {
  const text = useRef(/** @type {HTMLTextAreaElement | null} */ (null));
  const { action, proposal, drop, fill, fetch, compare, apply } = useProposal(path, text, again);
  return h(
    Fragment,
    {},
    h(
      'details',
      { class: 'help' },
      h('summary', {}, t('mappings_whole')),
      h(
        'div',
        { class: 'stack-small' },
        h(
          'label',
          { class: 'field' },
          h('span', {}, t('mappings_text')),
          h('textarea', { ref: text, class: 'mono', rows: 8, spellcheck: false, onInput: drop }),
        ),
        h(
          'div',
          { class: 'buttons' },
          h(FileButton, { taken: fill }),
          h(Button, { label: t('mappings_fetch'), isBusy: action.busy, press: () => void fetch() }),
          h(Button, {
            label: t('mappings_compare'),
            isMain: true,
            isBusy: action.busy,
            press: () => void compare(),
          }),
        ),
      ),
    ),
    h(Problem, { problem: action.problem }),
    h(Done, { done: action.done }),
    proposal &&
      h(MappingChanges, { diff: proposal.diff, isBusy: action.busy, apply: () => void apply(proposal) }),
  );
}

/**
 * What the set in the text would change; the text may be filled with the current set.
 * @param {string} path
 * @param {import('preact').RefObject<HTMLTextAreaElement | null>} text
 * @param {() => void} again
 */
function useProposal(path, text, again) {
  const { api } = useConsole();
  const [proposal, setProposal] = useState(/** @type {Proposal | null} */ (null));
  const action = useAction();
  const drop = () => setProposal(null);

  /** The current set, from tilld. @returns {Promise<readonly MappingInput[]>} */
  const current = async () => (await api.get(`${path}/product-mappings`)).data.map(inputOf);
  /** @param {string} content */
  const fill = (content) => {
    if (text.current) text.current.value = content;
    drop();
  };
  const fetch = () => action.run(async () => fill(JSON.stringify({ mappings: await current() }, null, 2)));
  const compare = () =>
    action.run(async () => {
      const after = readable(text.current?.value ?? '');
      const before = await current();
      setProposal({ before, after, diff: diffMappings(before, after) });
    });
  /** @param {Proposal} agreed */
  const apply = (agreed) =>
    action.run(
      async () => {
        const before = await current();
        if (JSON.stringify(before) !== JSON.stringify(agreed.before)) {
          setProposal({ before, after: agreed.after, diff: diffMappings(before, agreed.after) });
          throw new Error(t('mappings_moved'));
        }
        await api.change('PUT', `${path}/product-mappings`, { mappings: agreed.after });
        drop();
        again();
      },
      t('mappings_applied', { count: agreed.after.length }),
    );
  return { action, proposal, drop, fill, fetch, compare, apply };
}

/** @param {string} content */
function readable(content) {
  try {
    return readMappings(content);
  } catch (error) {
    if (!(error instanceof MappingsUnreadable)) throw error;
    throw new Error(t(`mappings_${error.key}`, { what: error.what }));
  }
}

/** @param {{ label: string, isMain?: boolean, isBusy: boolean, press: () => void }} props */
function Button({ label, isMain = false, isBusy, press }) {
  const look = isMain ? 'button button-main' : 'button';
  return h('button', { type: 'button', class: look, 'aria-disabled': isBusy, onClick: press }, label);
}

/** @param {{ taken: (content: string) => void }} props */
function FileButton({ taken }) {
  return h(
    'label',
    { class: 'button file' },
    t('mappings_file'),
    h('input', {
      type: 'file',
      accept: '.json,application/json',
      class: 'visually-hidden',
      onChange: (/** @type {Event & { currentTarget: HTMLInputElement }} */ { currentTarget }) => {
        const [file] = currentTarget.files ?? [];
        currentTarget.value = '';
        void file?.text().then(taken);
      },
    }),
  );
}
