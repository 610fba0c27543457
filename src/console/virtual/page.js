import { h } from 'preact';
import { useState } from 'preact/hooks';
import { useConsole } from '../app/console.js';
import { useAction } from '../parts/action.js';
import { useReading } from '../parts/reading.js';
import { Customer } from './customer.js';
import { Breaking } from './fault-panel.js';
import { LedgerView } from './ledger-view.js';
import { TerminalDisplay } from './terminal-display.js';
import { t } from './words.js';

/** @import { VirtualTerminal } from '../app/contract.js' */
/** @typedef {(method: 'POST' | 'PATCH' | 'DELETE', path: string, body?: object) => void} Act a person's action at a terminal; `path` below its own */

const LOOK_MS = 500;

/** A terminal of the sandbox, its customer, and its faults. */
export function Page() {
  const { api } = useConsole();
  const { document, problem, again } = useReading('/v2/virtual-terminals', LOOK_MS);
  const [chosen, setChosen] = useState('');
  const action = useAction();
  /** @type {readonly VirtualTerminal[]} */
  const terminals = document?.data ?? [];
  const terminal = terminals.find(({ name }) => name === chosen) ?? terminals[0];
  /** @type {Act} */
  const act = (method, path, body) => {
    const url = `/v2/virtual-terminals/${encodeURIComponent(terminal?.name ?? '')}${path}`;
    void action
      .run(() => (method === 'POST' ? api.post(url, body) : api.change(method, url, body)))
      .then(again);
  };
  return h(
    'div',
    { class: 'virtual' },
    h('h1', {}, t('title')),
    h('p', { class: 'quiet' }, t('words')),
    h('p', { class: 'problem', role: 'alert' }, problem || action.problem),
    document !== null && terminals.length === 0 && h('p', { class: 'card' }, t('none')),
    terminals.length > 1 && h(Choice, { terminals, current: terminal?.name ?? '', choose: setChosen }),
    terminal &&
      h(
        'div',
        { class: 'bench' },
        h(
          'div',
          { class: 'bench-terminal' },
          h(TerminalDisplay, { terminal }),
          h(Customer, { key: terminal.name, terminal, act }),
        ),
        h(Breaking, { terminal, act }),
        h(LedgerView, { terminal }),
      ),
  );
}

/** @param {{ terminals: readonly VirtualTerminal[], current: string, choose: (name: string) => void }} props */
function Choice({ terminals, current, choose }) {
  return h(
    'div',
    { class: 'buttons', role: 'group', 'aria-label': t('choose') },
    terminals.map(({ name }) =>
      h(
        'button',
        {
          key: name,
          type: 'button',
          class: 'button',
          'aria-pressed': name === current,
          onClick: () => choose(name),
        },
        name,
      ),
    ),
  );
}
