import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Language } from '../../base/language.ts';
import { languageOf } from '../lan/trust-page.ts';
import { standardHeaders } from '../plugins/request-head.ts';
import { noReceiptPage, RECEIPT_HEADERS } from './receipt-page.ts';

/** Answers an address of a receipt that the router cannot decode, as any other that opens none; no hook has seen the request. */
export function answerNoReceipt(
  { id, headers }: FastifyRequest,
  reply: FastifyReply,
  shops?: Language,
): void {
  const language = languageOf(null, headers['accept-language'], shops);
  reply.code(404).headers({ ...standardHeaders(id), ...RECEIPT_HEADERS });
  reply.send(noReceiptPage(language, 'gone'));
}
