type Numbers = Float64Array | Uint32Array | Uint16Array | Uint8Array;

/** A column of numbers that grows. */
export class Column {
  readonly #kind: new (
    size: number,
  ) => Numbers;
  #values: Numbers;

  constructor(kind: new (size: number) => Numbers) {
    this.#kind = kind;
    this.#values = new kind(1024);
  }

  /** 0 where nothing was put. */
  at(place: number): number {
    return this.#values[place] ?? 0;
  }

  put(place: number, value: number): void {
    if (place >= this.#values.length) {
      const wider = new this.#kind(2 * Math.max(place, this.#values.length));
      wider.set(this.#values);
      this.#values = wider;
    }
    this.#values[place] = value;
  }
}
