import { h } from 'preact';
import { t } from './words.js';

/** @import { Payment } from '../app/contract.js' */

const SIGNS = { yes: '✓', no: '✕', unknown: '?', pending: '…', rejected: '!', off: '–' };
const TONES = { unknown: 'warn', pending: 'calm', rejected: 'bad', off: 'plain' };

/** The two indicators: whether money moved, and whether the service has the report. @param {{ payment: Payment }} props */
export function Indicators({ payment: { charged, reported, type } }) {
  const isSale = type === 'sale';
  return h(
    'dl',
    { class: 'lights' },
    h(Light, {
      name: t(isSale ? 'light_charged' : 'light_given_back'),
      sign: SIGNS[charged],
      tone: charged === 'yes' ? 'good' : charged === 'no' ? 'plain' : TONES.unknown,
      text: t(`charged_${charged}`),
    }),
    h(Light, {
      name: t('light_reported'),
      sign: SIGNS[reported],
      tone: reported === 'yes' ? 'good' : TONES[reported],
      text: t(`reported_${reported}`),
    }),
  );
}

/** @param {{ name: string, sign: string, tone: string, text: string }} props */
function Light({ name, sign, tone, text }) {
  return h(
    'div',
    { class: `light light-${tone}` },
    h('span', { class: 'light-sign', 'aria-hidden': 'true' }, sign),
    h('dt', {}, name),
    h('dd', {}, text),
  );
}
