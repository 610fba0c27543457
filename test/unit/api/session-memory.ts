import type { PageSession, PageSessionStore } from '../../../src/api/ports.ts';

/** Sessions of a test. */
export class SessionMemory implements PageSessionStore {
  readonly #byId = new Map<string, PageSession>();

  insert(session: PageSession): void {
    this.#byId.set(session.id, session);
  }

  byHash(hash: string): PageSession | null {
    return [...this.#byId.values()].find((session) => session.hash === hash) ?? null;
  }

  paired(): void {
    throw new Error('not of these tests');
  }

  endOthers(): void {
    throw new Error('there are no people here');
  }

  end(id: string): void {
    this.#byId.delete(id);
  }
}
