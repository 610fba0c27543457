import {
  type Connector,
  type ConnectorContext,
  hasCode,
  providerDriver,
  type ShopTerminal,
  type ShopTerminals,
  type SourcePage,
  type SourceRecord,
  type SyncWindow,
  sourceError,
  z,
} from '../../../src/driver-kit/provider.ts';
import { RESOURCES, resourcesOf, type Settings, settingsSchema } from './settings.ts';

export const driver = providerDriver({
  settings: settingsSchema,
  resources: resourcesOf,
  connect: (settings, context) => new TerminalConnector(settings, context),
});

const PAGE = 100;
/** Longest time until an end of day is complete. */
const CLOSING_MS = 2 * 86_400_000;

/** The next terminal; how many were asked so far; the last closed batch that was read. */
const Place = z.strictObject({
  terminal: z.string().min(1).max(100),
  asked: z.int().min(0).default(0),
  behind: z.string().min(1).max(100).optional(),
});
type Place = z.output<typeof Place>;

/** One terminal a page, so that payments can run between two of them. */
class TerminalConnector implements Connector {
  readonly resources;
  readonly #settings: Settings;
  readonly #context: ConnectorContext;

  constructor(settings: Settings, context: ConnectorContext) {
    this.#settings = settings;
    this.#context = context;
    this.resources = resourcesOf(settings);
  }

  async list(
    name: string,
    window: SyncWindow,
    token: string | null,
    signal: AbortSignal,
  ): Promise<SourcePage> {
    signal.throwIfAborted();
    this.#mustHave(name);
    const place = placeIn(token);
    const here = this.#terminalAt(place);
    if (!here) return this.#page([], null);
    return name === 'totals' ? this.#closes(here, window, place) : this.#compare(here, place, signal);
  }

  async test(): Promise<{ readonly valid: boolean; readonly error: string }> {
    const isThere = this.#chosen().length > 0;
    return {
      valid: isThere,
      error: isThere ? '' : 'none of the terminals of the settings is configured here',
    };
  }

  /** A terminal that cannot be asked now is skipped; its last comparison stays. @throws SOURCE_NOT_READY where none could be asked */
  async #compare({ id, name }: ShopTerminal, place: Place | null, signal: AbortSignal): Promise<SourcePage> {
    const asked = place?.asked ?? 0;
    const next = this.#after(id);
    try {
      const { since, at, fields } = await this.#terminals.compare(id, signal);
      const batch = since === null ? 'no payment of ours' : String(since);
      const record = {
        id: `${id}/${batch}`,
        updatedAt: at,
        deleted: false,
        fields: { ...fields, device_name: name },
      };
      return this.#page([record], next && { terminal: next.id, asked: asked + 1 });
    } catch (error) {
      if (!hasCode(error, 'SOURCE_NOT_READY')) throw error;
      this.#context.log.info({ device: id, reason: error.message }, 'terminal not compared');
      if (!next && asked === 0) throw error;
      return this.#page([], next && { terminal: next.id, asked });
    }
  }

  /** Newest first, down to the beginning of the window. */
  #closes({ id, name }: ShopTerminal, { from, to }: SyncWindow, place: Place | null): SourcePage {
    const all = this.#terminals.closes(id, place?.behind ?? null, PAGE);
    const records = all
      .filter(({ closedAt }) => closedAt >= (from ?? 0) && closedAt <= to)
      .map(
        (one): SourceRecord => ({
          id: one.id,
          updatedAt: one.closedAt,
          deleted: false,
          fields: { ...one.fields, device_name: name },
        }),
      );
    const last = all.at(-1);
    const isDone = all.length < PAGE || !last || last.createdAt < (from ?? 0) - CLOSING_MS;
    const next = this.#after(id);
    if (!isDone) return this.#page(records, { terminal: id, asked: 0, behind: last.id });
    return this.#page(records, next && { terminal: next.id, asked: 0 });
  }

  #page(records: readonly SourceRecord[], next: Place | null | undefined): SourcePage {
    const token = next ? JSON.stringify(next) : null;
    return { records, bad: [], next: token, sourceNow: this.#context.clock.now() };
  }

  #mustHave(name: string): void {
    if (RESOURCES.some((one) => one === name) && this.resources.some((one) => one.name === name)) return;
    throw sourceError('SOURCE_REFUSED', `the settings have no resource "${name}"`);
  }

  /** @throws SOURCE_REFUSED where the place names a removed terminal: the list restarts */
  #terminalAt(place: Place | null): ShopTerminal | undefined {
    const chosen = this.#chosen();
    if (!place) return chosen[0];
    const here = chosen.find(({ id }) => id === place.terminal);
    if (here) return here;
    throw sourceError('SOURCE_REFUSED', 'the terminal where the list was left is not configured any more');
  }

  #after(id: string): ShopTerminal | undefined {
    const chosen = this.#chosen();
    return chosen[chosen.findIndex((one) => one.id === id) + 1];
  }

  #chosen(): readonly ShopTerminal[] {
    const { devices } = this.#settings;
    return this.#terminals.list().filter(({ id }) => devices === undefined || devices.includes(id));
  }

  get #terminals(): ShopTerminals {
    const { terminals } = this.#context;
    if (terminals) return terminals;
    throw sourceError('SOURCE_REFUSED', 'this connector reads the terminals of the shop, and was given none');
  }
}

function placeIn(token: string | null): Place | null {
  if (token === null) return null;
  try {
    return Place.parse(JSON.parse(token));
  } catch {
    throw sourceError('SOURCE_REFUSED', 'the place where the list was left is none of ours');
  }
}
