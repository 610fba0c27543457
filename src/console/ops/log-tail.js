import { h } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useConsole } from '../app/console.js';
import { moments } from '../words/formatters.js';
import { withoutIds } from '../words/without-ids.js';
import { Problem } from './problem.js';
import { useLog } from './use-log.js';
import { t } from './words.js';

/** @import { LogLine } from '../app/contract.js' */

/** @type {Intl.DateTimeFormatOptions} */
const CLOCK = { timeStyle: 'medium', hourCycle: 'h23' };
const LEVELS = /** @type {const} */ (['debug', 'info', 'warn', 'error']);
const TONES = { trace: 'plain', debug: 'plain', info: 'calm', warn: 'warn', error: 'bad' };

/** The end of the daemon's log, as it grows. */
export function LogTail() {
  const [level, setLevel] = useState(/** @type {(typeof LEVELS)[number]} */ ('info'));
  const [isPaused, setPaused] = useState(false);
  const [words, setWords] = useState('');
  const { lines, problem } = useLog(level, isPaused);
  const wanted = words.toLowerCase();
  const shown = wanted === '' ? lines : lines.filter((line) => textOf(line).toLowerCase().includes(wanted));
  return h(
    'div',
    { class: 'stack' },
    h('h1', {}, t('view_log')),
    h(
      'div',
      { class: 'controls' },
      h(
        'label',
        { class: 'field' },
        h('span', {}, t('log_level')),
        h(
          'select',
          {
            value: level,
            onChange: (/** @type {Event & { currentTarget: HTMLSelectElement }} */ { currentTarget }) =>
              setLevel(LEVELS.find((one) => one === currentTarget.value) ?? 'info'),
          },
          LEVELS.map((one) => h('option', { key: one, value: one }, t(`log_${one}`))),
        ),
      ),
      h(
        'label',
        { class: 'field' },
        h('span', {}, t('log_search')),
        h('input', {
          type: 'search',
          value: words,
          onInput: (/** @type {Event & { currentTarget: HTMLInputElement }} */ { currentTarget }) =>
            setWords(currentTarget.value),
        }),
      ),
      h(
        'button',
        { type: 'button', class: 'button', 'aria-pressed': isPaused, onClick: () => setPaused(!isPaused) },
        t(isPaused ? 'log_go_on' : 'log_hold'),
      ),
    ),
    h(Problem, { problem }),
    h(Lines, { lines: shown }),
    h('p', { class: 'quiet' }, t('log_words', { count: shown.length })),
  );
}

/** In tilld's English. Stays at the end while the user is there, and keeps its position when the user scrolls up. @param {{ lines: readonly LogLine[] }} props */
function Lines({ lines }) {
  const box = useRef(/** @type {HTMLOListElement | null} */ (null));
  const isAtEnd = useRef(true);
  const terminals = useConsole().shop.status.value?.terminals ?? [];
  useEffect(() => {
    if (box.current && isAtEnd.current) box.current.scrollTop = box.current.scrollHeight;
  }, [lines]);
  return h(
    'ol',
    {
      ref: box,
      class: 'log',
      tabIndex: 0,
      'aria-label': t('view_log'),
      onScroll: () => {
        const { scrollTop = 0, clientHeight = 0, scrollHeight = 0 } = box.current ?? {};
        isAtEnd.current = scrollHeight - scrollTop - clientHeight < 40;
      },
    },
    lines.map((line) =>
      h(
        'li',
        { key: line.id, lang: 'en' },
        h(
          'time',
          { dateTime: line.at ?? undefined },
          line.at === null ? '' : moments(CLOCK).format(Date.parse(line.at)),
        ),
        h('span', { class: `badge badge-${TONES[line.level]}` }, line.level),
        h(
          'span',
          { class: 'log-words' },
          h('strong', {}, line.message),
          ' ',
          h('span', { class: 'quiet' }, withoutIds(factsOf(line), terminals)),
        ),
      ),
    ),
  );
}

/** @param {LogLine} line */
function factsOf({ fields }) {
  return Object.entries(fields)
    .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(' ');
}

/** @param {LogLine} line */
function textOf(line) {
  return `${line.level} ${line.message} ${factsOf(line)}`;
}
