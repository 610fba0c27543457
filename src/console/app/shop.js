import { signal } from '@preact/signals-core';
import { shopZone } from '../words/shop-zone.js';
import { Payments } from './payments.js';

/** @import { Api } from './api.js' */
/** @import { Payment, Progress, Status, Task } from './contract.js' */
/** @import { Signal } from '@preact/signals-core' */

const LOOK_EVERY_MS = 2_000;
/** Tasks change with payments; this interval is for tasks that do not. */
const TASKS_EVERY_LOOKS = 5;
/** Number of payments that are read again at once because their tasks are done. */
const MOST_CHANGED = 8;

/**
 * The current state of the shop, as far as the pages know.
 * Payments come over the event stream; terminals, the connection to the service and tasks have no events, so they are polled.
 */
export class Shop {
  /** @type {Signal<Status | null>} */
  status = signal(null);
  /** @type {Signal<readonly Task[]>} */
  tasks = signal([]);
  /** Whether the sandbox has virtual terminals. */
  hasVirtualTerminals = signal(false);
  payments;
  #api;
  #looks = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  #asking = false;
  /** What to read once more, because something happened during a read. @type {{ tasks: boolean } | null} */
  #wanted = null;

  /** @param {Api} api */
  constructor(api) {
    this.#api = api;
    this.payments = new Payments(api);
  }

  /** Reads everything again; afterwards the pages show nothing older. */
  async read() {
    await Promise.all([
      this.#readStatus(),
      this.#readTasks(),
      this.#readVirtualTerminals(),
      this.payments.readNewest(),
    ]);
  }

  /**
   * @param {string} type
   * @param {any} data
   */
  heard(type, data) {
    if (type === 'terminal_payment.progress') this.payments.heardProgress(/** @type {Progress} */ (data));
    else if (isPayment(data?.data)) {
      this.payments.heard(data.data);
      void this.#readOther(data.data);
      void this.look({ tasks: true });
    }
  }

  /** Polls the resources without events. */
  watch() {
    this.unwatch();
    this.#timer = setTimeout(async () => {
      this.#looks += 1;
      if (document.visibilityState === 'visible')
        await this.look({ tasks: this.#looks % TASKS_EVERY_LOOKS === 0 });
      if (this.#timer !== undefined) this.watch();
    }, LOOK_EVERY_MS);
  }

  unwatch() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /**
   * Reads the terminals, and the tasks; the event stream shows a failure.
   * @param {{ tasks?: boolean }} [what]
   */
  async look({ tasks = false } = {}) {
    this.#wanted = { tasks: tasks || (this.#wanted?.tasks ?? false) };
    if (this.#asking) return;
    this.#asking = true;
    try {
      while (this.#wanted) {
        const { tasks: withTasks } = this.#wanted;
        this.#wanted = null;
        await Promise.all([
          this.#readStatus(),
          this.payments.readDoubts(),
          withTasks ? this.#readTasks() : undefined,
        ]);
      }
    } catch {
      // The page keeps its data; the event stream reports the lost connection.
    } finally {
      this.#asking = false;
    }
  }

  /**
   * The effect of a refund on its sale, and of a correction on its payment, has no event of its own.
   * @param {Payment} payment
   */
  async #readOther({ parent_id, corrects, completed_at }) {
    const other = corrects ?? parent_id;
    if (other === null || completed_at === null) return;
    await this.payments.read(other).catch(() => undefined);
  }

  async #readStatus() {
    const { data } = await this.#api.get('/v2/status');
    const pendingBefore = this.status.peek()?.outbox.pending;
    this.status.value = data;
    shopZone.value = data.time_zone;
    const { pending } = data.outbox;
    // A report that was created and sent between two reads changed no number; what waits beside others is read less often.
    if (pendingBefore !== pending || pending === 0 || this.#looks % TASKS_EVERY_LOOKS === 0)
      await this.payments.readReported();
  }

  async #readVirtualTerminals() {
    const { data } = await this.#api.get('/v2/virtual-terminals');
    this.hasVirtualTerminals.value = data.length > 0;
  }

  async #readTasks() {
    const path = '/v2/terminal-tasks?open=true&limit=100';
    /** @type {Task[]} */
    const open = [];
    for (let page = await this.#api.get(path); ; ) {
      open.push(...page.data);
      if (!page.has_more) break;
      page = await this.#api.get(`${path}&starting_after=${open.at(-1)?.id}`);
    }
    const gone = this.tasks.peek().filter(({ id }) => open.every((task) => task.id !== id));
    this.tasks.value = open;
    // The end of a task changes its payment, which has no event.
    const changed = new Set(gone.flatMap(({ payment_id }) => payment_id ?? []));
    for (const id of [...changed].slice(0, MOST_CHANGED)) await this.payments.read(id).catch(() => undefined);
  }
}

/**
 * Types of events are an open set, and so are their subjects: settlements come the same way.
 * @param {any} data
 */
function isPayment(data) {
  return typeof data === 'object' && data !== null && 'charged' in data && 'device_id' in data;
}
