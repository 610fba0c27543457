import { Examination } from '../contract/examination.ts';
import { dataOf } from '../contract/primitives.ts';
import type { Doctor, Examination as Found } from '../ports.ts';
import { instantOrNull } from '../render/instant.ts';
import { json } from '../reply/reply.ts';
import { NoParams, VersionQuery } from './list-reply.ts';
import { defineRoute, type Route } from './route.ts';

/** `tillctl doctor` for the pages. Not for tills. */
export function doctorRoutes(doctor: Doctor): readonly Route[] {
  const same = {
    path: '/v2/doctor',
    tag: 'Pages',
    access: 'socket_only',
    role: 'ops',
    params: NoParams,
    query: VersionQuery,
    body: null,
    refusals: [],
  } as const;
  return [
    defineRoute({
      ...same,
      method: 'POST',
      operationId: 'startExamination',
      summary: 'Examine everything that tilld needs, beside the daemon; it takes some seconds.',
      replies: [{ status: 202, description: 'It has begun.', schema: dataOf(Examination) }],
      handler: () => json(202, { data: rendered(doctor.examine()) }),
    }),
    defineRoute({
      ...same,
      method: 'GET',
      operationId: 'getExamination',
      summary: 'The newest examination.',
      replies: [{ status: 200, description: 'As far as it is.', schema: dataOf(Examination) }],
      handler: () => json(200, { data: rendered(doctor.last()) }),
    }),
  ];
}

function rendered({ state, startedAt, endedAt, findings, failure }: Found): Examination {
  return {
    state,
    started_at: instantOrNull(startedAt),
    ended_at: instantOrNull(endedAt),
    findings: [...findings],
    failure,
  };
}
