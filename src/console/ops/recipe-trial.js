import { h } from 'preact';
import { useState } from 'preact/hooks';
import { ApiError } from '../app/api.js';
import { useConsole } from '../app/console.js';
import { useAction } from '../parts/action.js';
import { Problem } from './problem.js';
import { TrialResult } from './trial-result.js';
import { t } from './words.js';

/** @import { Integration, RecipeTrial } from '../app/contract.js' */
/** @typedef {{ name: string, text: string }} RecipeFile */

/** tilld waits at most a minute for the source. */
const TRIAL_WITHIN_MS = 70_000;

/**
 * One page by a recipe: what comes, how it is mapped, and what would be written; nothing is stored. Without a recipe the one that runs here is tried.
 * @param {{ integration: Integration, path: string }} props
 */
export function RecipeTrialCard({ integration, path }) {
  const { api } = useConsole();
  const action = useAction();
  const [file, setFile] = useState(/** @type {RecipeFile | null} */ (null));
  const [trial, setTrial] = useState(/** @type {RecipeTrial | null} */ (null));
  /** @param {SubmitEvent & { currentTarget: HTMLFormElement }} event */
  const submit = (event) => {
    event.preventDefault();
    const given = new FormData(event.currentTarget);
    setTrial(null);
    void action.run(async () => {
      const { data } = await api.post(`${path}/try-recipe`, bodyOf(given, file), {
        withinMs: TRIAL_WITHIN_MS,
      });
      setTrial(data);
    });
  };
  return h(
    'section',
    { class: 'card', 'aria-label': t('trial') },
    h('h2', {}, t('trial')),
    h('p', { class: 'quiet' }, t('trial_words')),
    h(
      'form',
      { class: 'stack-small', onSubmit: submit },
      h(
        'div',
        { class: 'controls' },
        file === null &&
          h(Text, {
            name: 'recipe',
            label: t(integration.connector === 'rest' ? 'trial_recipe' : 'trial_recipe_needed'),
            isNeeded: integration.connector !== 'rest',
          }),
        h(Text, { name: 'resource', label: t('trial_resource') }),
        h(Text, { name: 'apiKey', label: t('credential_key'), type: 'password' }),
        h(Text, { name: 'baseUrl', label: t('credential_url'), type: 'url' }),
      ),
      h(FileOfRecipe, { file, set: setFile }),
      h(
        'div',
        { class: 'buttons' },
        h(
          'button',
          { type: 'submit', class: 'button button-main', 'aria-disabled': action.busy },
          t('trial_start'),
        ),
      ),
    ),
    action.busy && h('p', { class: 'quiet', role: 'status' }, t('reading')),
    h(Problem, { problem: action.problem }),
    trial !== null && h(TrialResult, { trial }),
  );
}

/** What is left empty is that of the integration. @param {FormData} given @param {RecipeFile | null} file */
function bodyOf(given, file) {
  const text = (/** @type {string} */ name) => String(given.get(name) ?? '').trim();
  const [name, resource, apiKey, baseUrl] = ['recipe', 'resource', 'apiKey', 'baseUrl'].map(text);
  if (apiKey === '' && baseUrl !== '') throw new ApiError(400, 'key_needed', t('trial_key_needed'));
  const recipe = file === null ? name : recipeIn(file);
  return {
    ...(recipe === '' ? {} : { recipe }),
    ...(resource === '' ? {} : { resource }),
    ...(apiKey === '' ? {} : { credentials: { apiKey, ...(baseUrl === '' ? {} : { baseUrl }) } }),
  };
}

/** @param {RecipeFile} file @returns {unknown} */
function recipeIn({ name, text }) {
  try {
    return JSON.parse(text);
  } catch {
    throw new ApiError(400, 'recipe_unreadable', t('trial_unreadable', { name }));
  }
}

/** @param {{ name: string, label: string, type?: string, isNeeded?: boolean }} props */
function Text({ name, label, type = 'text', isNeeded = false }) {
  return h(
    'label',
    { class: 'field' },
    h('span', {}, label),
    h('input', {
      ...{ name, type, required: isNeeded, maxLength: 4096 },
      autoComplete: 'off',
      spellcheck: false,
    }),
  );
}

/** @param {{ file: RecipeFile | null, set: (file: RecipeFile | null) => void }} props */
function FileOfRecipe({ file, set }) {
  return h(
    'div',
    { class: 'buttons' },
    h(
      'label',
      { class: 'button file' },
      t('trial_file'),
      h('input', {
        type: 'file',
        accept: '.json',
        class: 'visually-hidden',
        onChange: (/** @type {Event & { currentTarget: HTMLInputElement }} */ { currentTarget }) => {
          const [chosen] = currentTarget.files ?? [];
          currentTarget.value = '';
          void chosen?.text().then((text) => set({ name: chosen.name, text }));
        },
      }),
    ),
    file !== null &&
      h(
        'button',
        { type: 'button', class: 'button', onClick: () => set(null) },
        t('trial_without_file', { name: file.name }),
      ),
  );
}
