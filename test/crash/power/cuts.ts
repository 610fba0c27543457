import { join } from 'node:path';
import { Random } from '../../simulation/random.ts';
import { ackOf } from './acks.ts';
import type { Accusation } from './crimes.ts';
import type { Disk } from './disk.ts';
import { Acknowledged, boundariesOf, type Expectation, type Promised, promisedIn } from './expectation.ts';
import { writeFiles } from './image-folder.ts';
import { type Contents, contentAtRest, judgeImage } from './judge.ts';
import { type Image, imageAfterCut } from './loss.ts';
import { diskBefore, type RecordedScenario, recordingOf, terminalBefore } from './recorded.ts';
import { reviveShop } from './revive.ts';

/** A power cut: after which of the scenario's boundaries (from 1), and what chance did with what was not synced. */
export interface Cut {
  readonly boundary: number;
  readonly seed: number;
}

/** What a cut led to. */
export interface Verdict extends Cut {
  /** A whole shop was opened on it. */
  readonly revived: boolean;
  readonly accusations: readonly Accusation[];
}

/** One of so many images is started twice: that is about the files beside the database, which every image has in few shapes. */
const START_TWICE = 8;
/** On one of so many images a whole shop opens again: it takes as long as ten judgements. */
const REVIVE = 100;

/** Plays the power cuts of one recorded scenario, boundary after boundary; it can only go forwards. */
export class Cuts {
  readonly boundaries: number;
  readonly #events: ReturnType<typeof recordingOf>;
  readonly #places: readonly number[];
  readonly #promised: Promised;
  readonly #disk: Disk;
  readonly #acknowledged: Acknowledged;
  readonly #folder: string;
  readonly #scenario: RecordedScenario;
  #contents: Contents | null = null;
  #applied = 0;
  #boundary = 0;

  /** `folder`: for the images; it is emptied for each. */
  constructor(scenario: RecordedScenario, folder: string) {
    this.#scenario = scenario;
    this.#events = recordingOf(scenario);
    this.#places = boundariesOf(this.#events);
    this.boundaries = this.#places.length;
    this.#promised = promisedIn(this.#events);
    this.#disk = diskBefore(scenario);
    this.#acknowledged = new Acknowledged(this.#promised.firstEpoch, terminalBefore(scenario));
    this.#folder = folder;
  }

  /** The image of one cut. */
  image({ boundary, seed }: Cut): Image {
    this.#goTo(boundary);
    return imageAfterCut(this.#disk, boundary, seed);
  }

  /** Starts on different images of one boundary, and judges each; seeds that lead to the same image are played once. */
  async at(boundary: number, seeds: Iterable<number>): Promise<readonly Verdict[]> {
    const known = new Set<string>();
    const verdicts: Verdict[] = [];
    for (const seed of seeds) {
      const { files, word } = this.image({ boundary, seed });
      if (known.has(word)) continue;
      known.add(word);
      const random = new Random(seed, `image of ${boundary}`);
      const [startTwice, revived] = [random.chance(1 / START_TWICE), random.chance(1 / REVIVE)];
      const accusations = await this.#judge(files, startTwice);
      const more = revived ? await this.#revive(files) : [];
      verdicts.push({ boundary, seed, accusations: [...accusations, ...more], revived });
    }
    return verdicts;
  }

  async #judge(files: Image['files'], startTwice: boolean): Promise<readonly Accusation[]> {
    const contents = await this.#contentsOf();
    const folder = join(this.#folder, 'image');
    writeFiles(folder, files);
    return judgeImage(folder, this.#expected, contents, startTwice);
  }

  /** Opens a whole shop on the image of one cut. */
  revive(cut: Cut): Promise<readonly Accusation[]> {
    return this.#revive(this.image(cut).files);
  }

  #revive(files: Image['files']): Promise<readonly Accusation[]> {
    const folder = join(this.#folder, 'revived');
    writeFiles(folder, files);
    return reviveShop(folder, join(this.#folder, 'revived-spare'), this.#expected);
  }

  get #expected(): Expectation {
    return this.#acknowledged.expectation;
  }

  async #contentsOf(): Promise<Contents> {
    if (this.#contents) return this.#contents;
    const folder = join(this.#folder, 'at-rest');
    writeFiles(folder, diskBefore(this.#scenario).seen());
    this.#contents = { before: await contentAtRest(folder), after: this.#promised.contents };
    return this.#contents;
  }

  /** Everything that happened before the next boundary has happened: what was acknowledged meanwhile counts. */
  #goTo(boundary: number): void {
    if (boundary < this.#boundary || boundary > this.boundaries)
      throw new Error(`boundary ${boundary} is behind us, or beyond the last of ${this.boundaries}`);
    this.#boundary = boundary;
    const end = this.#places[boundary] ?? this.#events.length;
    for (const event of this.#events.slice(this.#applied, end)) {
      if (event.type === 'ack') this.#acknowledged.hear(ackOf(event));
      else this.#disk.apply(event);
    }
    this.#applied = Math.max(this.#applied, end);
  }
}
