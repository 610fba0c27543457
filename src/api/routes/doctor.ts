import type { z } from 'zod';
import type { RoutePlugin } from '../api.ts';
import { Examination, ExaminationSummary } from '../contract/examination.ts';
import { dataOf } from '../contract/primitives.ts';
import type { Doctor, Examination as Found } from '../ports.ts';
import { instantOrNull } from '../render/instant.ts';
import { VersionQuery } from './list-reply.ts';

const URL = '/v2/doctor';
const OF_OPS = { tag: 'Pages', access: 'socket_only', role: 'ops', refusals: [], hidden: true } as const;

/** `tillctl doctor` for the pages. Not for tills. */
export function doctorRoutes(doctor: Doctor): RoutePlugin {
  return async (api) => {
    api.route({
      method: 'POST',
      url: URL,
      schema: { querystring: VersionQuery },
      config: {
        ...OF_OPS,
        operationId: 'startExamination',
        summary: 'Examine everything that tilld needs, beside the daemon; it takes some seconds.',
        replies: [{ status: 202, description: 'It has begun.', schema: dataOf(Examination) }],
      },
      handler: () => ({ data: rendered(doctor.examine()) }),
    });
    api.route({
      method: 'GET',
      url: URL,
      schema: { querystring: VersionQuery },
      config: {
        ...OF_OPS,
        operationId: 'getExamination',
        summary: 'The newest examination.',
        replies: [{ status: 200, description: 'As far as it is.', schema: dataOf(Examination) }],
      },
      handler: () => ({ data: rendered(doctor.last()) }),
    });
    api.route({
      method: 'GET',
      url: `${URL}/summary`,
      schema: { querystring: VersionQuery },
      config: {
        ...OF_OPS,
        role: 'staff',
        operationId: 'getExaminationSummary',
        summary: 'Which checks of the newest examination found something.',
        replies: [{ status: 200, description: 'As far as it is.', schema: dataOf(ExaminationSummary) }],
      },
      handler: () => ({ data: summaryOf(rendered(doctor.last())) }),
    });
  };
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

function summaryOf({ state, ended_at, findings }: Examination): z.infer<typeof ExaminationSummary> {
  const amiss = findings.filter(({ level }) => level !== 'ok');
  return { state, ended_at, findings: amiss.map(({ id, level }) => ({ id, level })) };
}
