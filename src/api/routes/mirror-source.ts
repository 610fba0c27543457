import type { FastifyReply } from 'fastify';
import type { Clock } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import { canonicalId } from '../../base/ids.ts';
import type { JsonObject } from '../../integration/connector.ts';
import type { MirrorPage, MirrorQuery, MirrorReader, MirrorRow } from '../../integration/views/mirror.ts';
import type { Payments } from '../../payment/payments.ts';
import { renderInvoice, renderMirrored } from '../render/mirrored.ts';
import type { MirroredList } from './mirrored-table.ts';

const SERVICE = 'service';

export interface MirrorSourceDeps {
  /** null or absent: there is no mirror. */
  readonly mirror?: MirrorReader | null;
  /** The lists that the configuration mirrors. */
  readonly mirrorLists?: readonly string[];
  readonly payments: Pick<Payments, 'ofInvoice'>;
  readonly clock: Clock;
}

/** The mirrored lists, for routes: only those that the configuration mirrors, each row as it is sent. */
export class MirrorSource {
  readonly #deps: MirrorSourceDeps;

  constructor(deps: MirrorSourceDeps) {
    this.#deps = deps;
  }

  has(list: string): boolean {
    const { mirror, mirrorLists = [] } = this.#deps;
    return Boolean(mirror) && mirrorLists.includes(list);
  }

  /** @throws LIST_NOT_MIRRORED, CURSOR_UNKNOWN */
  page(list: MirroredList, query: MirrorQuery): MirrorPage {
    return this.#reader(list.name).page(keyOf(list.name), query);
  }

  /** @throws LIST_NOT_MIRRORED */
  find(list: MirroredList, id: string): MirrorRow | null {
    return this.#reader(list.name).find(keyOf(list.name), id);
  }

  /** @throws LIST_NOT_MIRRORED */
  sizeOf(list: string): { readonly rows: number; readonly freshAt: number | null } {
    return this.#reader(list).sizeOf(keyOf(list));
  }

  /** Until when a list is complete, epoch ms; null: it never was. @throws LIST_NOT_MIRRORED */
  freshAt(list: string): number | null {
    return this.#reader(list).freshAt(keyOf(list));
  }

  /** The rows as they are sent; invoices with what tilld has taken for them since. */
  rendered({ name, resource }: MirroredList, rows: readonly MirrorRow[]): readonly JsonObject[] {
    if (name !== 'invoices') return rows.map((row) => renderMirrored(resource, row));
    const begunIn = this.#reader(name).begunIn(keyOf(name));
    return rows.map((row) =>
      renderInvoice(resource, row, this.#deps.payments.ofInvoice(canonicalId(row.id), begunIn)),
    );
  }

  /** Sends `Age` where the mirror was complete once. */
  sendAge(reply: FastifyReply, freshAt: number | null): void {
    if (freshAt === null) return;
    const age = Math.max(0, this.#deps.clock.now() - freshAt);
    reply.header('age', String(Math.floor(age / 1000)));
  }

  #reader(list: string): MirrorReader {
    const { mirror, mirrorLists = [] } = this.#deps;
    if (mirror && mirrorLists.includes(list)) return mirror;
    const lists = JSON.stringify([...mirrorLists, list]);
    const where = mirrorLists.length === 0 ? ', which needs a billing service to be configured' : '';
    throw new AppError(
      'LIST_NOT_MIRRORED',
      `The list "${list}" is not mirrored here. To mirror it, set "mirror": {"lists": ${lists}} in the configuration of tilld${where}.`,
      { context: { details: { list } } },
    );
  }
}

function keyOf(resource: string) {
  return { integration: SERVICE, resource } as const;
}
