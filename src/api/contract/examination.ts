import { z } from 'zod';
import { Timestamp } from './primitives.ts';

/** One check result of `tillctl doctor`; `why` and `fix` are set where something is wrong. */
export const Finding = z.object({
  id: z.string(),
  level: z.enum(['ok', 'warn', 'fail']),
  what: z.string(),
  why: z.string().nullable(),
  fix: z.string().nullable(),
});

/** The newest run of the diagnostics. */
export const Examination = z.object({
  state: z.enum(['never', 'running', 'done', 'failed']),
  started_at: Timestamp.nullable(),
  ended_at: Timestamp.nullable(),
  findings: z.array(Finding),
  failure: z.string().nullable(),
});
export type Examination = z.infer<typeof Examination>;

/** What users without the role `ops` see of it: the checks that found something, without what and why. */
export const ExaminationSummary = Examination.pick({ state: true, ended_at: true }).extend({
  findings: z.array(Finding.pick({ id: true, level: true })),
});
