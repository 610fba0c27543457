import { renderTerminalPayment } from '../../src/api/render/terminal-payment.ts';
import { renderTask } from '../../src/api/render/terminal-task.ts';
import { paymentText } from '../../src/cli/show/payment.ts';
import { taskText } from '../../src/cli/show/task.ts';
import type { AttemptView } from '../../src/payment/payments.ts';
import type { Task } from '../../src/payment/tasks/task.ts';
import { ENGLISH } from '../../src/sentences/english.ts';
import {
  paymentMessage,
  paymentSentences,
  refusalSentences,
  taskSentences,
} from '../../src/sentences/sentences.js';
import type { Language } from '../judge/reader.ts';

/** Where a text is shown, and the text. */
export type ShownText = readonly [surface: string, text: string];

export const tongueOf = (language: Language) => ({ ...ENGLISH, language });

/** Every text about this payment itself, in one language: the page, and in English the interface and the command line. */
export function* paymentTexts(view: AttemptView, language: Language): Generator<ShownText> {
  const json = renderTerminalPayment(view);
  const page = paymentSentences(json, tongueOf(language));
  const why = [page.why?.text ?? '', page.why?.more ?? ''];
  yield ['page', [page.title, page.charged, ...page.beside, ...why, page.now].join(' ')];
  yield ['one text', paymentMessage(json, tongueOf(language))];
  if (language !== 'en') return;
  yield ['interface', json.message];
  yield ['command line', paymentText(json)];
}

/** Every text of a task about this payment, in one language. */
export function* taskTexts(task: Task, view: AttemptView, language: Language): Generator<ShownText> {
  const { kind } = task;
  const json = renderTerminalPayment(view);
  const { what, charged, now } = taskSentences({ kind }, json, tongueOf(language));
  yield [`task ${kind}`, [what, charged, now].join(' ')];
  if (language !== 'en') return;
  const rendered = renderTask(task, view);
  yield [`interface task ${kind}`, rendered.message];
  yield [`tillctl tasks ${kind}`, taskText(rendered)];
}

/** What a request is told that is refused because of this payment: first of itself, then of the payment. */
export function refusalText(code: string, other: AttemptView, language: Language): string {
  const refusal = { code, message: 'refused' };
  const payment = { other: renderTerminalPayment(other), isGivingBack: false };
  const { charged, now } = refusalSentences(refusal, payment, tongueOf(language));
  return `${charged} ${now}`;
}
