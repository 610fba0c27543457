import { z } from 'zod';
import { ErrorEnvelope, FlatError, IdempotencyError } from '../contract/error.ts';
import { Event } from '../contract/event.ts';
import { CreatedKey, CreateKey, KeyAudit, KeySummary, RolledKey, RollKey } from '../contract/key.ts';
import { Json } from '../contract/primitives.ts';
import { Health, Status } from '../contract/status.ts';
import { TerminalDevice } from '../contract/terminal-device.ts';
import {
  CreateTerminalPayment,
  Explanation,
  RefundTerminalPayment,
  TerminalPayment,
} from '../contract/terminal-payment.ts';
import { TerminalReconciliation } from '../contract/terminal-reconciliation.ts';
import { RequestEndOfDay, TerminalSettlement } from '../contract/terminal-settlement.ts';
import { FinishTerminalTask, TerminalTask } from '../contract/terminal-task.ts';

/** Schemas that the document names once and points to. */
const NAMED = {
  Json,
  TerminalPayment,
  CreateTerminalPayment,
  RefundTerminalPayment,
  Explanation,
  TerminalDevice,
  RequestEndOfDay,
  TerminalSettlement,
  TerminalReconciliation,
  TerminalTask,
  FinishTerminalTask,
  Event,
  CreateKey,
  CreatedKey,
  RollKey,
  RolledKey,
  KeySummary,
  KeyAudit,
  Health,
  Status,
  ErrorEnvelope,
  IdempotencyError,
  FlatError,
} as const;

export type JsonSchema = Readonly<Record<string, unknown>>;

/** Turns zod schemas into JSON Schema 2020-12 and gathers the named ones under `components.schemas`. */
export class SchemaBook {
  readonly #registry = z.registry<{ id: string }>();
  readonly #components = new Map<string, unknown>();

  constructor() {
    for (const [id, schema] of Object.entries(NAMED)) this.#registry.add(schema, { id });
  }

  /** `input`: what a client may send, nothing else; `output`: what it gets, more fields may come at any time. */
  of(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
    const {
      $schema: _,
      $defs,
      ...own
    } = z.toJSONSchema(schema, {
      metadata: this.#registry,
      io,
      target: 'draft-2020-12',
      override: ({ jsonSchema }) => {
        if (io === 'output' && jsonSchema.additionalProperties === false)
          delete jsonSchema.additionalProperties;
      },
    });
    for (const [name, definition] of Object.entries($defs ?? {}))
      this.#components.set(name, pointed(withoutId(definition)));
    const id = this.#registry.get(schema)?.id;
    if (id === undefined) return pointed(own);
    if ($defs?.[id] === undefined) this.#components.set(id, pointed(withoutId(own)));
    return { $ref: `#/components/schemas/${id}` };
  }

  get components(): Readonly<Record<string, unknown>> {
    return Object.fromEntries([...this.#components].sort(([a], [b]) => (a < b ? -1 : 1)));
  }
}

function pointed(schema: object): JsonSchema {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/'));
}

function withoutId(schema: object): object {
  return Object.fromEntries(Object.entries(schema).filter(([name]) => name !== 'id' && name !== '$id'));
}
