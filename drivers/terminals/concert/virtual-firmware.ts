import { sleep } from '../../../src/base/clock.ts';
import type { LedgerEntry, TypedTransaction } from '../../../src/sandbox/controllable-terminal.ts';
import type { Firmware, VirtualDevice } from '../../../src/sandbox/terminal/dialect.ts';
import type { Wire } from '../../../src/sandbox/terminal/wire.ts';
import { eplusAccepted, eplusAnswer, eplusNotDone, eplusRequest } from './virtual-eplus.ts';
import { readRequest, sayInPieces } from './virtual-network.ts';
import type { ConcertVirtualOptions } from './virtual-options.ts';
import { type LastPayment, type Paid, Payments, type RequestedPayment } from './virtual-payment.ts';
import { VirtualTalk } from './virtual-talk.ts';
import { type Tags, tagsIn, V3Answers, v3Request } from './virtual-v3.ts';

/** How often a terminal calls with an answer, every three seconds: usual, and persistent. */
const [CALLS, MANY_CALLS] = [3, 20];
const UPDATE_MS = 30_000;

/** An answer that no till has acknowledged. */
interface Unsent {
  readonly text: string;
  readonly paid: Paid | null;
  /** The payment that begins once the answer is sent; it has no result. */
  readonly before?: RequestedPayment;
}

/**
 * The terminal's firmware, from power-up to power loss.
 *
 * INVARIANTS:
 * - one payment at a time, whatever the number of connections; a payment continues when its connection ends;
 * - on a cable an unacknowledged approval is treated as the settings say, once the terminal has given up sending it;
 * - over the network there is no acknowledgement: an approval stands.
 */
export class ConcertFirmware implements Firmware {
  readonly #device: VirtualDevice;
  readonly #options: ConcertVirtualOptions;
  readonly #last: LastPayment;
  readonly #payments: Payments;
  readonly #answers: V3Answers;
  #busy = false;
  #lostAt: number | null = null;
  #unsent: Unsent | undefined;

  constructor(device: VirtualDevice, options: ConcertVirtualOptions, last: LastPayment) {
    this.#device = device;
    this.#options = options;
    this.#last = last;
    this.#payments = new Payments(device, options, last);
    this.#answers = new V3Answers(device, options);
  }

  get busy(): boolean {
    return this.#busy;
  }

  async serve(wire: Wire): Promise<void> {
    if (wire.kind === 'serial') await this.#onCable(wire);
    else await this.#onNetwork(wire).catch(() => undefined);
  }

  typeByHand(typed: TypedTransaction): LedgerEntry {
    return this.#payments.typeByHand(typed);
  }

  closeByHand(): void {
    this.#device.ledger.closeBatch();
  }

  async #onCable(wire: Wire): Promise<void> {
    const { clock } = this.#device;
    const talk: VirtualTalk = new VirtualTalk(wire, {
      clock,
      parity: this.#options.parity,
      mayEnquire: () => this.#mayEnquire(talk),
      onText: (text) => void this.#heard(text, talk).catch(() => undefined),
    });
    const listening = talk.listen();
    if (this.#options.lateAnswer === 'told') this.#sendKept(talk);
    await listening;
  }

  #mayEnquire(talk: VirtualTalk): 'yes' | 'no' | 'refused' {
    if (this.#busy) return this.#options.busySays === 'nak' ? 'refused' : 'no';
    if (!this.#unsent) return 'yes';
    this.#sendKept(talk);
    return 'no';
  }

  /** Sends an unacknowledged answer again. */
  #sendKept(talk: VirtualTalk): void {
    const unsent = this.#unsent;
    if (!unsent) return;
    this.#unsent = undefined;
    void this.#alone(() => this.#send(talk, unsent, false)).catch(() => undefined);
  }

  /** A frame that comes again while its payment runs is a repeat: its acknowledgement was lost. */
  async #heard(text: string, talk: VirtualTalk): Promise<void> {
    if (this.#busy) return;
    await this.#alone(async () => {
      const unsent =
        this.#options.dialect === 'eplus' ? await this.#eplus(text, talk) : await this.#v3(text, talk);
      if (!unsent) return;
      await this.#send(talk, unsent, true);
      if (unsent.before) await this.#payments.run(unsent.before, talk.wire, false);
    });
  }

  async #eplus(text: string, { wire }: VirtualTalk): Promise<Unsent | undefined> {
    const asked = eplusRequest(text);
    if (!asked) return undefined;
    const { request } = asked;
    if (!request) return { paid: null, text: eplusNotDone(text, this.#options) };
    await this.#device.reach('command', wire);
    if (asked.isImmediate) return { paid: null, text: eplusAccepted(text, this.#options), before: request };
    const paid = await this.#payments.run(request, wire, true);
    return { paid, text: eplusAnswer(text, paid, asked.isFull, this.#options) };
  }

  async #v3(text: string, { wire }: VirtualTalk): Promise<Unsent | undefined> {
    const tags = tagsIn(text);
    if (tags === 'more') return undefined;
    return this.#obey(tags, wire, true);
  }

  /** Carries out a V3 request and returns the answer. */
  async #obey(tags: Tags | undefined, wire: Wire, unsettled: boolean): Promise<Unsent> {
    const action = tags?.get('CD') ?? '';
    const refused = (reason: string) => ({ paid: null, text: this.#answers.refused(tags, reason) });
    if (!tags) return refused('09');
    const answer = await this.#question(tags, action, wire);
    if (answer !== undefined) return { paid: null, text: answer };
    if (action !== '0' && action !== '1') return refused('12');
    const request = this.#options.formatError ? undefined : v3Request(tags);
    if (!request) return refused('09');
    await this.#device.reach('command', wire);
    if (tags.get('BA') === '1') return { paid: null, text: this.#answers.accepted(tags), before: request };
    const paid = await this.#payments.run(request, wire, unsettled);
    return { paid, text: this.#answers.paid(tags, paid) };
  }

  async #question(tags: Tags, action: string, wire: Wire): Promise<string | undefined> {
    const { identifies, statusQuery, endOfDay } = this.#options;
    if (action === 'I' && identifies) {
      await this.#device.reach('idle', wire);
      return this.#answers.identity(tags);
    }
    if (action === 'B' && endOfDay) return this.#close(tags);
    if (action !== statusQuery) return undefined;
    const { paid } = this.#last;
    const known = this.#device.ledger.entries().find(({ sequence }) => sequence === paid?.record?.sequence);
    // An unacknowledged approval may have been reversed or declined since.
    const isTakenBack = known !== undefined && (known.reversed || known.result !== 'approved');
    return this.#answers.status(tags, paid, isTakenBack);
  }

  async #close(tags: Tags): Promise<string> {
    const { ledger, clock, power, faults } = this.#device;
    const how = faults.takeClose();
    if (how === 'refused') return this.#answers.refused(tags, '06');
    ledger.closeBatch();
    if (how === 'updates') await sleep(clock, UPDATE_MS, power, 'sandbox update');
    return this.#answers.done(tags);
  }

  /** Sends an answer; an unacknowledged approval is settled, unless it is kept for the next till. */
  async #send(talk: VirtualTalk, unsent: Unsent, isFirst: boolean): Promise<void> {
    const { ledger, settings, faults, power } = this.#device;
    const record = unsent.paid?.record ?? null;
    if (record && faults.takeUnreported() !== undefined) {
      ledger.confirm(record);
      return;
    }
    await this.#device.reach('result', talk.wire);
    const { lateAnswer } = this.#options;
    const isSent = await talk.send(unsent.text, lateAnswer === 'told' ? MANY_CALLS : CALLS, power);
    if (!isSent) {
      const keeps = lateAnswer === 'told' ? talk.wire.ended.aborted : lateAnswer === 'on_knock' && isFirst;
      if (keeps) this.#unsent = unsent;
      else if (record) ledger.settle(record, settings.missingAcknowledgement, false);
      return;
    }
    if (record) ledger.confirm(record);
    if (unsent.paid) await this.#device.reach('result_acknowledged', talk.wire);
    const bad = record ? faults.takeBadEnd() : undefined;
    if (record && bad && bad.how !== 'kept') ledger.settle(record, 'reverse', false);
    await this.#device.reach('completion', talk.wire);
    if (!bad) talk.hangUp();
  }

  async #onNetwork(wire: Wire): Promise<void> {
    const { clock, power } = this.#device;
    const text = await readRequest(wire, clock, this.#options.wantsLineEnd, power);
    if (text === undefined) return;
    const tags = tagsIn(text);
    if (this.#busy && !this.#looksIdle(tags)) {
      if (this.#options.busyConnection === 'silent') await ended(wire, power);
      return;
    }
    const onLost = () => {
      this.#lostAt = clock.monotonic();
    };
    wire.ended.addEventListener('abort', onLost, { once: true });
    const unsent = await (this.#busy
      ? this.#answerBusy(tags, wire)
      : this.#alone(() => this.#served(tags, wire)));
    wire.ended.removeEventListener('abort', onLost);
    if (!unsent) return;
    await sayInPieces(wire, unsent.text, this.#options.splitMs, clock, power);
    if (this.#options.afterAnswer === 'stays') await ended(wire, power);
  }

  async #served(tags: ReturnType<typeof tagsIn>, wire: Wire): Promise<Unsent | undefined> {
    const unsent = await this.#obey(tags === 'more' ? undefined : tags, wire, false);
    if (unsent.before) {
      await sayInPieces(wire, unsent.text, this.#options.splitMs, this.#device.clock, this.#device.power);
      if (this.#options.afterAnswer === 'closes') wire.close();
      await this.#payments.run(unsent.before, wire, false);
      return undefined;
    }
    const { record } = unsent.paid ?? {};
    if (record && this.#device.faults.takeUnreported() !== undefined) return undefined;
    await this.#device.reach('result', wire);
    return unsent;
  }

  /** To a new connection the terminal looks idle although the customer of a lost till still pays. */
  #looksIdle(tags: ReturnType<typeof tagsIn>): boolean {
    const isQuestion = tags instanceof Map && tags.get('CD') === 'I';
    const { looksIdleMs } = this.#options;
    return isQuestion && this.#lostAt !== null && this.#device.clock.monotonic() - this.#lostAt < looksIdleMs;
  }

  async #answerBusy(tags: ReturnType<typeof tagsIn>, wire: Wire): Promise<Unsent | undefined> {
    if (!(tags instanceof Map)) return undefined;
    const text = await this.#question(tags, 'I', wire);
    return text === undefined ? undefined : { paid: null, text };
  }

  async #alone<T>(task: () => Promise<T>): Promise<T> {
    this.#busy = true;
    this.#lostAt = null;
    try {
      return await task();
    } finally {
      this.#busy = false;
      if (!this.#device.power.aborted) this.#device.show('ready');
    }
  }
}

/** Waits until the till has closed the connection. */
function ended(wire: Wire, power: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    for (const end of [wire.ended, power]) {
      if (end.aborted) resolve();
      else end.addEventListener('abort', () => resolve(), { once: true });
    }
  });
}
