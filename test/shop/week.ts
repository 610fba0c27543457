import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { renderTerminalPayment } from '../../src/api/render/terminal-payment.ts';
import { AppError } from '../../src/base/errors.ts';
import { silentLog } from '../../src/base/log.ts';
import { isFinal } from '../../src/payment/attempt/state-machine.ts';
import type { AttemptView } from '../../src/payment/payments.ts';
import { FAULT_POINTS } from '../../src/sandbox/controllable-terminal.ts';
import type { Facts } from '../judge/facts.ts';
import { LANGUAGES, type Language } from '../judge/reader.ts';
import { FAMILIES } from '../simulation/families/list.ts';
import { Random, seededIds } from '../simulation/random.ts';
import { SimService } from '../simulation/service.ts';
import { PartClock, SimClock, Wall } from '../simulation/sim-clock.ts';
import { Trace } from '../simulation/trace.ts';
import { paymentTexts, refusalText, type ShownText, taskTexts } from '../support/shown-texts.ts';
import { Agent } from './agent.ts';
import { copyDisk, putBack } from './copies.ts';
import type { FaultKind } from './fault-kinds.ts';
import { Machine } from './machine.ts';
import { Place } from './place.ts';
import { Records, type Sold } from './records.ts';
import { inOtherLetters, type ReadSale, readAsInterface, type Spelling, spell } from './spelling.ts';
import { Staff } from './staff.ts';
import type { Till } from './till.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
/** A week of few payments goes on, so that it has as many attempts as a proof needs. */
const DAYS = { least: 5, most: 14 } as const;
const LEAST_ATTEMPTS = 60;
const OUTSIDE = 'outside';
/** A refusal because of another payment names it. */
const InTheWay = z.object({ details: z.object({ payment_id: z.string() }) });

export interface WeekDeps {
  readonly seed: number;
  /** A folder of its own, on a fast disk. */
  readonly folder: string;
  readonly say?: (line: string) => void;
  /** Breaks the product before it is used: for the judge's positive control. */
  readonly spoil?: (agent: Agent) => void;
  /** How the interface reads what a till sends; another one is a broken product, too. */
  readonly read?: ReadSale;
}

export interface WeekEnd {
  readonly facts: Facts;
  readonly faults: Readonly<Partial<Record<FaultKind, number>>>;
  readonly agents: number;
  readonly attempts: number;
}

/** One shop week from one seed: tills, terminals, one service, customers, staff, and everything that goes wrong. */
export class ShopWeek {
  readonly #deps: WeekDeps;
  readonly #random: Random;
  readonly #time = new SimClock();
  readonly #service: SimService;
  readonly #tills: Till[] = [];
  readonly #records = new Records();
  readonly #staff: Staff;
  /** The service writes ids of invoices in capitals. */
  readonly #isLoud: boolean;
  readonly #faults = new Map<FaultKind, number>();
  /** Until then requests to the service may fail, or their answers. */
  #troubledUntil = 0;

  constructor(deps: WeekDeps) {
    this.#deps = deps;
    const random = new Random(deps.seed, 'shop week');
    this.#random = random;
    const families = new Random(deps.seed, 'families');
    this.#isLoud = random.chance(0.5);
    this.#staff = new Staff({
      records: this.#records,
      random,
      now: () => this.#time.elapsed,
      count: (kind) => this.#count(kind),
      say: (line) => this.#say(line),
    });
    const count = random.pick([1, 1, 2, 2, 3]);
    const places = Array.from({ length: count }, (_, till) =>
      Array.from({ length: random.pick([1, 1, 2]) }, (_, place) => {
        const family = families.pick(FAMILIES);
        return new Place(3 * till + place, family, this.#time, families);
      }),
    );
    this.#service = new SimService(
      {
        devices: places.flat().map(({ device }) => ({ id: device.id, name: device.name })),
        honoursOurId: true,
        keepsMetadata: true,
        refusesUnknownFields: random.chance(0.3),
        plan: 'growth',
      },
      {
        clock: new PartClock(this.#time, new Wall()),
        ids: seededIds(new Random(deps.seed, 'service ids'), { now: () => this.#time.now }),
        random: new Random(deps.seed, 'service'),
        trace: new Trace(this.#time, false),
        fault: () => undefined,
        accuse: () => undefined,
      },
    );
    places.forEach((own, index) => {
      const name = `agent-${index + 1}`;
      const folder = join(deps.folder, name);
      const outside = join(deps.folder, OUTSIDE, name);
      for (const path of [folder, outside]) mkdirSync(path, { recursive: true });
      const machine = new Machine(`machine-${index + 1}`, outside, this.#time);
      const agent = this.#boot({ name, folder, machine, places: own });
      this.#tills.push({ name, folder, machine, places: own, agent, copies: [] });
    });
  }

  async play(): Promise<WeekEnd> {
    for (let day = 0; day < DAYS.least || (day < DAYS.most && this.#isSmall); day += 1) {
      if (day > 0) this.#morning();
      await this.#day();
    }
    await this.#close();
    const faults = Object.fromEntries(this.#faults);
    const payments = this.#tills.flatMap(({ agent }) => this.#views(agent));
    for (const { agent } of this.#tills) agent.stop();
    return {
      facts: this.#records.facts(payments),
      faults,
      agents: this.#tills.length,
      attempts: this.#records.payments,
    };
  }

  get #isSmall(): boolean {
    return this.#records.payments < LEAST_ATTEMPTS;
  }

  // People -----------------------------------------------------------------------------------------------------------------------

  async #day(): Promise<void> {
    const customers = this.#random.int(15, 18);
    for (let at = 0; at < customers; at += 1) {
      const till = this.#random.pick(this.#tills);
      if (this.#random.chance(0.55)) await this.#trouble(till);
      await this.#rungUpAgain(till);
      await this.#customer(till);
      await this.#pass(this.#random.time(10_000, 5 * MINUTE_MS));
      this.#staff.lookAt(till);
    }
    await this.#pass(10 * MINUTE_MS);
    for (const till of this.#tills) this.#staff.lookAt(till);
  }

  /** One customer with one basket, until he has paid, or gives up. */
  async #customer(till: Till): Promise<void> {
    const place = this.#random.pick(till.places);
    const amountMinor = 1000 + 13 * this.#records.baskets + this.#random.int(0, 12);
    const invoice = this.#random.chance(0.25) ? this.#invoiceId() : null;
    const basket = this.#records.begin(amountMinor, invoice);
    place.serve(this.#random.pick(['approve', 'approve', 'approve', 'approve', 'decline', 'walk_away']));
    if (place.isSlow) this.#count('slow_customer');
    const first = await this.#take(till, place, basket);
    if (invoice !== null && this.#tills.length > 1 && this.#random.chance(0.3))
      await this.#elsewhere(till, basket);
    if (invoice !== null && this.#random.chance(0.3)) await this.#byService(basket);
    if (this.#random.chance(0.3)) await this.#again(till, place, basket);
    const isPaid = first !== null && this.#chargedOf(till, first) === 'yes';
    if (isPaid && this.#random.chance(0.1)) this.#giveBack(till, first);
    if (!isPaid && first !== null && this.#random.chance(0.7)) {
      place.serve('approve');
      await this.#take(till, place, basket);
    }
  }

  /** The same basket once more, as a double click or a till that was restarted does it: with blanks, or in other letters. */
  async #again(till: Till, place: Place, basket: Sold): Promise<void> {
    place.serve('approve');
    await this.#take(till, place, basket, this.#random.pick(['plain', 'other_letters', 'blanks']));
  }

  /** The same invoice at another till of the shop. */
  async #elsewhere(till: Till, basket: Sold): Promise<void> {
    const other = this.#random.pick(this.#tills.filter((one) => one !== till));
    const place = this.#random.pick(other.places);
    place.serve('approve');
    this.#count('two_agents_one_invoice');
    await this.#take(other, place, basket, this.#random.pick(['plain', 'other_letters']));
  }

  /** The back office asks for the same invoice, in other letters. */
  async #byService(basket: Sold): Promise<void> {
    const other = this.#random.pick(this.#tills);
    const place = this.#random.pick(other.places);
    place.serve('approve');
    this.#count('invoice_letters');
    this.#noteOffline(other, basket);
    const { id, currency } = place.device;
    const invoice_id = basket.invoice?.toUpperCase();
    const body = { device_id: id, amount_minor: basket.amountMinor, currency, invoice_id };
    this.#say(`the back office asks ${other.name} for ${basket.id}, ${invoice_id}`);
    this.#service.ask(body, null).catch(() => undefined);
    await this.#pass(MINUTE_MS);
  }

  /** What was rung up before books were put back is on no list any more: a till that has not compared rings it up again. */
  async #rungUpAgain(till: Till): Promise<void> {
    const basket = this.#records.lostBasket(till.name);
    if (!basket || till.agent.isDead || !this.#random.chance(0.25)) return;
    this.#count('rung_up_again');
    const place = this.#random.pick(till.places);
    place.serve('approve');
    if ((await this.#take(till, place, basket)) !== null) basket.lostAt = null;
  }

  /** Rings it up, and waits until it is over, or for a while; null: it was refused. */
  async #take(till: Till, place: Place, basket: Sold, spelling: Spelling = 'plain'): Promise<string | null> {
    const { agent } = till;
    if (agent.isDead || basket.isKnownPaid) return null;
    const sale = this.#read(place, basket, spelling);
    if (sale === null) return null;
    const invoiceId = sale.invoice_id ?? null;
    this.#noteOffline(till, basket);
    try {
      await this.#within(agent.core.requestGuard.askInvoice(invoiceId));
      if (agent.isDead) return null;
      const { attempt } = agent.core.payments.create({
        deviceId: place.device.id,
        amount: { minor: basket.amountMinor, currency: place.device.currency },
        invoiceId,
        reference: sale.reference ?? null,
        metadata: {},
        after: null,
        caller: 'socket',
      });
      this.#say(`${till.name} takes ${basket.id} ${basket.amountMinor}: ${attempt.id}`);
      this.#records.sent(basket, attempt.id);
      for (let waited = 0; waited < 4 * MINUTE_MS; waited += 2000) {
        await this.#pass(2000);
        if (agent.isDead || isFinal(agent.core.writer.require(attempt.id).state)) break;
      }
      return attempt.id;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      this.#say(`${till.name} refuses ${basket.id}: ${error.code}`);
      this.#refused(till, error);
      // Staff have heard that it is paid.
      if (error.code === 'PAYMENT_ALREADY_PAID' || error.code === 'INVOICE_ALREADY_PAID')
        basket.lostAt = null;
      return null;
    }
  }

  /** Another till may have taken it, and this one may not be able to ask. */
  #noteOffline({ name }: Till, basket: Sold): void {
    const isElsewhere = [...basket.rungAt.keys()].some((one) => one !== name);
    if (isElsewhere && this.#time.elapsed < this.#troubledUntil) basket.takenOffline = true;
  }

  /** What the interface makes of a basket as this till writes it; null: it refuses it. Of an invoice in other letters only the id is sent. */
  #read(place: Place, { amountMinor, reference, invoice }: Sold, spelling: Spelling) {
    const { id, currency } = place.device;
    const names = {
      ...(invoice === null || spelling !== 'other_letters' ? { reference } : {}),
      ...(invoice === null ? {} : { invoice_id: invoice }),
    };
    const sale = { device_id: id, amount_minor: amountMinor, currency, ...names };
    if (spelling !== 'plain') this.#count(invoice === null ? 'reference_letters' : 'invoice_letters');
    return (this.#deps.read ?? readAsInterface)(spell(sale, spelling));
  }

  #giveBack({ agent }: Till, parentId: string): void {
    if (agent.isDead) return;
    try {
      const how = this.#random.chance(0.5) ? 'void' : 'refund';
      const request = { parentId, caller: 'socket' } as const;
      const { payments } = agent.core;
      const view =
        how === 'void'
          ? payments.void(request)
          : payments.refund({ ...request, amountMinor: null, after: null });
      this.#records.sent(this.#records.of(parentId), view.attempt.id);
      this.#say(`gives ${parentId} back by ${how}`);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
    }
  }

  // What goes wrong ----------------------------------------------------------------------------------------------------------------

  async #trouble(till: Till): Promise<void> {
    const place = this.#random.pick(till.places);
    const kinds: readonly (readonly [FaultKind, () => void | Promise<void>])[] = [
      ['crash', () => this.#crashSoon(till)],
      ['cable', () => this.#soon(() => place.unplug(this.#random.time(1000, 5 * MINUTE_MS)))],
      ['power_loss', () => this.#strike(place, 'power_loss')],
      ['silence', () => this.#strike(place, 'silence')],
      ['line_cut', () => this.#strike(place, 'cut')],
      ['service_down', () => this.#goOffline()],
      ['lost_answer', () => this.#spoil('answer_lost', 4)],
      ['repeated_request', () => this.#spoil('twice', 4)],
      ['captive_portal', () => this.#spoil('portal', 12)],
      ['terminal_exchange', () => this.#exchange(till, place)],
      ['auto_close', () => this.#soon(() => this.#try(() => place.terminal.closeByHand()))],
      ['use_by_hand', () => this.#soon(() => this.#useByHand(place))],
      ['clock_step', () => this.#soon(() => this.#setClock(till))],
      ['suspend', () => this.#suspend(till)],
      ['restore_folder', () => this.#restore(till, 'folder')],
      ['restore_database', () => this.#restore(till, 'database')],
      ['restore_image', () => this.#restoreImage(till)],
      ['two_machines', () => this.#twoMachines(till)],
      ['counter_end', () => place.presetNumbers()],
    ];
    const [kind, happen] = this.#random.pick(kinds);
    this.#say(`trouble at ${till.name}: ${kind}`);
    this.#count(kind);
    await happen();
  }

  #crashSoon(till: Till): void {
    this.#soon(() => {
      if (this.#random.chance(0.5)) till.agent.crash();
      else till.agent.stop();
      if (this.#random.chance(0.4)) this.#copy(till);
      this.#time.at(this.#random.time(2000, 10 * MINUTE_MS), () => this.#reboot(till));
    });
  }

  #strike(place: Place, what: 'power_loss' | 'silence' | 'cut'): void {
    const ms = this.#random.time(500, 3 * MINUTE_MS);
    place.inject({ when: this.#random.pick(FAULT_POINTS), do: what, ms });
  }

  #goOffline(): void {
    const ms = this.#random.time(10_000, 30 * MINUTE_MS);
    this.#service.goOffline(ms);
    this.#troubled(ms);
  }

  #spoil(what: 'answer_lost' | 'twice' | 'portal', most: number): void {
    this.#service.spoil(what, this.#random.int(1, most));
    this.#troubled(0);
  }

  /** Faults wait for the requests that they strike, and reports that failed are tried again later. */
  #troubled(ms: number): void {
    this.#troubledUntil = Math.max(this.#troubledUntil, this.#time.elapsed + ms + 30 * MINUTE_MS);
  }

  /** Another terminal is put in its place, before, in or after a payment, and adopted by a person some minutes later. */
  #exchange(till: Till, place: Place): void {
    if (!place.family.isRecognised) {
      this.#count('terminal_exchange', -1);
      return;
    }
    this.#soon(() => {
      place.exchange();
      this.#time.at(this.#random.time(20_000, 10 * MINUTE_MS), () => {
        if (till.agent.isDead) return;
        till.agent.core.operations.adopt(place.device.id, 'Ada').catch(() => undefined);
      });
    });
  }

  #useByHand(place: Place): void {
    this.#try(() =>
      place.terminal.typeByHand({
        kind: 'sale',
        amountMinor: this.#random.pick([777, 1000 + 13 * this.#records.baskets]),
      }),
    );
  }

  #setClock({ machine }: Till): void {
    const far = this.#random.time(2000, 400 * 24 * HOUR_MS);
    machine.skewMs = this.#random.chance(0.25) ? 0 : this.#random.chance(0.5) ? far : -far;
  }

  #suspend({ machine, places }: Till): void {
    this.#soon(() => {
      machine.sleep();
      for (const place of places) place.cut();
      this.#time.at(this.#random.time(5000, 2 * HOUR_MS), () => machine.wake());
    });
  }

  /** An older copy is put back: of the database alone, or of the folder as a whole. */
  #restore(till: Till, what: 'folder' | 'database'): void {
    const copy = till.copies.at(-1);
    if (copy === undefined) {
      this.#count(`restore_${what}`, -1);
      this.#crashSoon(till);
      this.#soon(() => this.#copy(till));
      return;
    }
    till.agent.stop();
    putBack(till, copy, what);
    this.#records.forgotten(till.name, copy.payments);
    this.#reboot(till);
  }

  /** The whole disk of the machine is put back, as it was while tilld ran or after; that takes some minutes. */
  #restoreImage(till: Till): void {
    const copy = till.copies.at(-1);
    if (copy === undefined) {
      this.#count('restore_image', -1);
      this.#soon(() => this.#copy(till));
      return;
    }
    this.#soon(() => {
      till.agent.crash();
      putBack(till, copy, 'image');
      till.machine.starts += 1;
      this.#records.forgotten(till.name, copy.payments);
      const restoredAt = this.#random.time(5 * MINUTE_MS, 20 * MINUTE_MS);
      this.#time.at(restoredAt, () => this.#reboot(till));
      this.#time.at(restoredAt + this.#random.time(MINUTE_MS, HOUR_MS), () => this.#copy(till));
    });
  }

  /** A copy of the folder is used on a second machine for a while, with the same terminals; the service asks for a payment. */
  #twoMachines(till: Till): void {
    const copy = till.copies.at(-1);
    if (copy === undefined) {
      this.#count('two_machines', -1);
      this.#crashSoon(till);
      this.#soon(() => this.#copy(till));
      return;
    }
    const folder = join(this.#deps.folder, `twin-${this.#random.int(1, 1e9)}`);
    cpSync(copy.folder, folder, { recursive: true });
    const outside = `${folder}-outside`;
    mkdirSync(outside, { recursive: true });
    const machine = new Machine(`another-${till.name}`, outside, this.#time);
    const twin = this.#boot({ name: till.name, folder, machine, places: till.places });
    const place = this.#random.pick(till.places);
    place.serve('approve');
    this.#ask(place);
    this.#time.at(this.#random.time(MINUTE_MS, 20 * MINUTE_MS), () => {
      twin.stop();
      rmSync(folder, { recursive: true, force: true });
    });
  }

  /** The back office asks for a payment. */
  #ask(place: Place): void {
    const amountMinor = 1000 + 13 * this.#records.baskets + this.#random.int(0, 12);
    const basket = this.#records.begin(amountMinor, null);
    const { id, currency } = place.device;
    const body = { device_id: id, amount_minor: amountMinor, currency, reference: basket.reference };
    this.#service.ask(body, null).catch(() => undefined);
  }

  // The shop itself -------------------------------------------------------------------------------------------------------------------

  #boot(parts: Pick<Till, 'name' | 'folder' | 'machine' | 'places'>): Agent {
    const ids = seededIds(new Random(this.#deps.seed, `${parts.name} ${this.#time.elapsed}`), {
      now: () => this.#time.now,
    });
    const heard = (view: AttemptView) => this.#hear(view, parts.name);
    const line = this.#isLoud ? { line: inOtherLetters } : {};
    const agent = new Agent({ ...parts, service: this.#service, ids, log: silentLog, heard, ...line });
    this.#deps.spoil?.(agent);
    return agent;
  }

  #reboot(till: Till): void {
    if (!till.agent.isDead) return;
    till.machine.wake();
    till.agent = this.#boot(till);
  }

  #morning(): void {
    for (const till of this.#tills) {
      till.machine.wake();
      till.agent.stop();
      if (this.#random.chance(0.7)) this.#copy(till);
    }
    this.#time.stall(10 * HOUR_MS);
    for (const till of this.#tills) this.#reboot(till);
  }

  /** A copy of its disk, whether tilld runs or not. */
  #copy(till: Till): void {
    const to = join(this.#deps.folder, 'copies', `${till.name}-${till.copies.length}`);
    till.copies.push({ ...copyDisk(till, to), payments: this.#records.payments });
  }

  /** Everything is mended, persons say the truth, and an hour passes. */
  async #close(): Promise<void> {
    this.#service.heal();
    for (let round = 0; round < 8; round += 1) {
      for (const till of this.#tills) {
        till.machine.wake();
        till.machine.skewMs = 0;
        this.#reboot(till);
        for (const place of till.places) {
          place.terminal.forgetFaults();
          place.terminal.setPower(true);
          if (place.family.isRecognised)
            till.agent.core.operations.adopt(place.device.id, 'Ada').catch(() => undefined);
        }
        this.#staff.lookAt(till, true);
      }
      await this.#pass(10 * MINUTE_MS);
    }
  }

  #views({ core, isDead }: Agent): readonly AttemptView[] {
    if (isDead) return [];
    return core.payments.list({ limit: 1000 }).items;
  }

  #chargedOf({ agent }: Till, id: string): AttemptView['charged'] {
    return agent.isDead ? 'unknown' : agent.core.payments.get(id).charged;
  }

  #hear(view: AttemptView, till: string): void {
    const { attempt } = view;
    const basket = this.#records.ofAmount(attempt.amount.minor);
    if (!basket) return;
    this.#records.sent(basket, attempt.id);
    const place = this.#tills
      .flatMap(({ places }) => places)
      .find(({ device }) => device.id === attempt.deviceId);
    if (place) this.#records.heard(view, basket, till, place, this.#time.elapsed);
    for (const language of LANGUAGES) {
      for (const shown of paymentTexts(view, language)) this.#show(view, basket, language, shown);
      for (const task of view.tasks)
        for (const shown of taskTexts(task, view, language)) this.#show(view, basket, language, shown);
    }
    const { charged } = renderTerminalPayment(view);
    this.#show(view, basket, 'en', ['interface field', `charged: ${charged}`]);
    this.#say(`${attempt.id} ${attempt.type} ${attempt.state.name}, charged ${charged}`);
  }

  /** A text of this payment is read by a person. */
  #show(
    { attempt: { id, type } }: AttemptView,
    basket: Sold,
    language: Language,
    [surface, text]: ShownText,
  ): void {
    const at = this.#time.elapsed;
    this.#records.shown({ at, basket: basket.id, payment: id, type, surface, language, text });
  }

  /** Staff are told which payment stands in the way, and what became of it. */
  #refused({ agent }: Till, error: AppError): void {
    const other = InTheWay.safeParse(error.context).data?.details.payment_id;
    const basket = this.#records.of(other ?? '');
    if (other === undefined || !basket || agent.isDead) return;
    const view = agent.core.payments.get(other);
    const code = error.code.toLowerCase();
    for (const language of LANGUAGES)
      this.#show(view, basket, language, [`refusal ${code}`, refusalText(code, view, language)]);
  }

  /** What stands charged on all terminals that ever stood in the shop, by amount. */
  #ledger(): ReadonlyMap<number, number> {
    const standing = new Map<number, number>();
    for (const { ledger } of this.#tills.flatMap(({ places }) => places))
      for (const { amountMinor, kind, result, reversed } of ledger) {
        if (result !== 'approved' || reversed || kind === 'void') continue;
        const moved = kind === 'sale' ? amountMinor : -amountMinor;
        standing.set(amountMinor, (standing.get(amountMinor) ?? 0) + moved);
      }
    return standing;
  }

  async #pass(ms: number): Promise<void> {
    for (let left = ms; left > 0; left -= 5000) {
      await this.#time.advance(Math.min(left, 5000));
      this.#records.look(this.#time.elapsed, this.#ledger());
    }
  }

  /** Lets time pass until it is settled. */
  async #within(promise: Promise<void>): Promise<void> {
    let settled = false;
    const end = () => {
      settled = true;
    };
    promise.then(end, end);
    for (let waited = 0; waited < 5000 && !settled; waited += 50) await this.#time.advance(50);
  }

  /** In the middle of what comes next. */
  #soon(happen: () => void): void {
    this.#time.at(this.#random.time(50, 60_000), happen);
  }

  #try<T>(what: () => T): T | undefined {
    try {
      return what();
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return undefined;
    }
  }

  #invoiceId(): string {
    const number = String(this.#records.baskets).padStart(12, '0');
    return `0199c0de-0000-7000-8000-${number}`;
  }

  #count(kind: FaultKind, by = 1): void {
    this.#faults.set(kind, (this.#faults.get(kind) ?? 0) + by);
  }

  #say(line: string): void {
    this.#deps.say?.(`${(this.#time.elapsed / 1000).toFixed(1).padStart(9)}  ${line}`);
  }
}
