import {
  paymentLabel,
  paymentSentences,
  refusalSentences,
  refusalWords,
  taskSentences,
} from '../../sentences/sentences.js';
import { wordsOf } from '../../sentences/tongue.js';
import { catalogue } from '../words/catalogue.js';
import { language } from '../words/language.js';
import { tongue } from '../words/tongue.js';
import { withoutIds } from '../words/without-ids.js';
import { de } from './words/de.js';
import { en } from './words/en.js';
import { fr } from './words/fr.js';

/** @import { ApiError } from '../app/api.js' */
/** @import { Payment, Task } from '../app/contract.js' */
/** @import { Values, WordKey } from '../../sentences/tongue.js' */

export const t = catalogue({ en, de, fr });

/** The sentences of a payment. @param {Payment} payment */
export function sentencesOf(payment) {
  const sentences = paymentSentences(payment, tongue());
  return { ...sentences, beside: sentences.beside.map((text) => withoutIds(text, [])) };
}

/** The label of a payment. @param {Payment} payment */
export const labelOf = (payment) => paymentLabel(payment, tongue());

/** The request of a task. @param {Task} task @param {Payment | undefined} payment */
export const askedBy = (task, payment) => taskSentences(task, payment ?? null, tongue());

/** A sentence about money without a payment. @param {WordKey} key @param {Values} [values] */
export const sentence = (key, values) => wordsOf(language.value, key, values);

/** What to do after an error response. @param {Pick<ApiError, 'code' | 'message'>} error */
export const afterRefusal = (error) => refusalWords(error, tongue());

/**
 * What an error response means for the customer's money.
 * @param {Pick<ApiError, 'code' | 'message'>} error
 * @param {{ other: Payment | undefined, isGivingBack: boolean }} about
 */
export function refusedBy(error, { other, isGivingBack }) {
  const { charged, now } = refusalSentences(error, { other: other ?? null, isGivingBack }, tongue());
  return { charged: withoutIds(charged, []), now };
}
