import type { z } from 'zod';
import type { TenantTransaction } from '../database/connect.ts';
import type { Operator } from '../operators/authenticate.ts';
import type { Role } from '../operators/operators.ts';

/** A request of an operator, checked and in its transaction. */
export interface Call<I> {
  readonly transaction: TenantTransaction;
  readonly operator: Operator;
  readonly input: I;
  /** Epoch ms. */
  readonly now: number;
}

/** One route as it is served and described. */
export interface OperatorRoute {
  readonly method: 'GET' | 'PUT' | 'POST' | 'DELETE';
  /** As OpenAPI writes it: `/v1/shops/{name}`. */
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly role: Role;
  /** Parameters of path, query and body: a name in the path is from there, every other one from the query of a GET or the body. */
  readonly input: z.ZodObject;
  readonly status: 200 | 201;
  readonly reply: z.ZodType;
  readonly run: (call: Call<unknown>) => Promise<unknown>;
}

interface Described<I extends z.ZodObject, R extends z.ZodType>
  extends Omit<OperatorRoute, 'status' | 'run'> {
  readonly input: I;
  readonly status?: 201;
  readonly reply: R;
  readonly run: (call: Call<z.infer<I>>) => Promise<z.input<R>>;
}

/** Checks that what a route answers is what it describes. */
export function route<I extends z.ZodObject, R extends z.ZodType>(described: Described<I, R>): OperatorRoute {
  // The input is checked by this schema before it is run.
  const run = described.run as OperatorRoute['run'];
  return { status: 200, ...described, run };
}
