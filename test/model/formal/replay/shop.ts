import { copyFileSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { AttemptView } from '../../../../src/payment/payments.ts';
import { Random, seededIds } from '../../../simulation/random.ts';
import { SimClock, Wall } from '../../../simulation/sim-clock.ts';
import { AgentRun, DEVICE } from './agent-run.ts';
import { Gate, type GateMode } from './gate.ts';
import { ModelTerminal } from './terminal-pair.ts';
import { ATTEMPTS, type AttemptNumber } from './trace.ts';

/** Sales of the same amount: nothing but number, time and terminal tells them apart. */
export const AMOUNT = { minor: 1234, currency: 'EUR' } as const;
const STEP_MS = 50;
const DATABASE_FILES = ['money.db', 'money.db-wal'] as const;

/** Where the sale of an attempt went, and the line of the ledger that is its card's charge. */
interface Command {
  readonly terminal: number;
  sequence: number | null;
}

/**
 * The world of the model made of real parts: one place with two terminals, one agent that may die, bytes that pass as far as the model's
 * last step lets them. No time passes but what {@link until} and {@link pass} let pass.
 */
export class ReplayedShop {
  readonly gate = new Gate();
  readonly wall = new Wall();
  readonly terminals: readonly [ModelTerminal, ModelTerminal];
  agent: AgentRun | null = null;
  /** Our name of each attempt of the model, once it was created. */
  readonly ids = new Map<number, string>();
  /** The code with which a sale was refused. */
  readonly refused = new Map<number, string>();
  /** The terminal that stands there. */
  at = 0;
  readonly #time = new SimClock();
  readonly #folder: string;
  readonly #seed: number;
  readonly #commands = new Map<number, Command>();
  #runs = 0;

  constructor(folder: string, seed: number) {
    mkdirSync(folder, { recursive: true });
    this.#folder = folder;
    this.#seed = seed;
    this.terminals = [new ModelTerminal(1, this.#time), new ModelTerminal(2, this.#time)];
  }

  /** Opens the shop: the agent meets the first terminal. */
  async open(): Promise<void> {
    this.start();
    await this.with('questions', () => this.agent?.core.queues.get(DEVICE.id)?.status === 'ready', 30_000);
  }

  start(): void {
    const ids = seededIds(new Random(this.#seed, `run ${this.#runs++}`), { now: () => this.#time.now });
    this.agent = new AgentRun({
      folder: this.#folder,
      time: this.#time,
      wall: this.wall,
      ids,
      openLink: () => this.gate.open((pipe) => this.here.attach(pipe)),
    });
  }

  crash(): void {
    this.agent?.crash();
    this.agent = null;
    this.gate.forgetWaiting();
    this.cut();
  }

  /** The terminal that stands there has lost its till. */
  cut(): void {
    this.gate.mode = 'shut';
    const wire = this.gate.cut();
    if (wire) this.here.lostTill(wire);
  }

  get here(): ModelTerminal {
    return this.terminals[this.at === 0 ? 0 : 1];
  }

  /** @throws Error while the agent does not run: the model takes no such step */
  get running(): AgentRun {
    if (!this.agent) throw new Error('the agent does not run');
    return this.agent;
  }

  /** What the core tells of an attempt; null: it was refused, or its database does not know it. */
  view(number: number): AttemptView | null {
    const id = this.ids.get(number);
    const attempt = id === undefined ? null : this.running.find(id);
    return attempt && this.running.core.payments.get(attempt.id);
  }

  /** Opens the gate so far until the condition holds, at most so long, and shuts it again. @returns whether it holds */
  async with(mode: GateMode, condition: () => boolean, limitMs: number): Promise<boolean> {
    const isSo = await this.letGo(mode, condition, limitMs);
    this.gate.mode = 'shut';
    return isSo;
  }

  /** The same, and the gate stays so. */
  async letGo(mode: GateMode, condition: () => boolean, limitMs: number): Promise<boolean> {
    this.gate.mode = mode;
    await this.#comeToRest();
    for (let passed = 0; passed < limitMs && !condition(); passed += STEP_MS) {
      await this.#time.advance(STEP_MS);
      await this.#comeToRest();
    }
    return condition();
  }

  /** Time passes with an open gate, in which the daemon keeps its time as it does every ten minutes. */
  async pass(minutes: number): Promise<void> {
    this.gate.mode = 'questions';
    for (let left = minutes; left > 0; left -= 10) {
      await this.#time.advance(Math.min(left, 10) * 60_000);
      this.agent?.keepTime();
    }
    await this.#comeToRest();
    this.gate.mode = 'shut';
  }

  /** What is ready runs, and no time passes. */
  async #comeToRest(): Promise<void> {
    for (let turn = 0; turn < 3; turn += 1) await this.#time.advance(0);
  }

  async rest(): Promise<void> {
    await this.#comeToRest();
  }

  /** The command of an attempt is at the terminal that stands there. */
  noteCommand(attempt: number): void {
    this.#commands.set(attempt, { terminal: this.at, sequence: null });
    this.here.dialogueBegins();
  }

  /** The newest line of its terminal's ledger is this attempt's. */
  noteCharge(attempt: number): void {
    const command = this.#commands.get(attempt);
    const line = this.#terminalOf(attempt)?.ledger.at(-1);
    if (command && line) command.sequence = line.sequence;
  }

  /** The truth: by the ledgers, whether the card of each attempt is charged. */
  get charged(): readonly boolean[] {
    return ATTEMPTS.map((attempt) => this.#isCharged(attempt));
  }

  terminalOf(attempt: number): ModelTerminal {
    return this.#terminalOf(attempt) ?? this.here;
  }

  #terminalOf(attempt: number): ModelTerminal | undefined {
    const command = this.#commands.get(attempt);
    return command && this.terminals[command.terminal === 0 ? 0 : 1];
  }

  #isCharged(attempt: AttemptNumber): boolean {
    const sequence = this.#commands.get(attempt)?.sequence;
    const line = this.#terminalOf(attempt)?.ledger.find((one) => one.sequence === sequence);
    return line !== undefined && line.result === 'approved' && !line.reversed;
  }

  /** Copies the database as it is, between two commits. */
  copyDatabase(): void {
    for (const name of DATABASE_FILES)
      if (existsSync(join(this.#folder, name)))
        copyFileSync(join(this.#folder, name), join(this.#folder, `${name}.copy`));
  }

  /** Puts the copy back; the agent does not run. */
  restoreDatabase(): void {
    rmSync(join(this.#folder, 'money.db-shm'), { force: true });
    for (const name of DATABASE_FILES) {
      rmSync(join(this.#folder, name), { force: true });
      if (existsSync(join(this.#folder, `${name}.copy`)))
        copyFileSync(join(this.#folder, `${name}.copy`), join(this.#folder, name));
    }
  }
}
