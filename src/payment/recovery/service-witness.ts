/**
 * Whether the service's newest payments of this agent were all compared with the database since the start: then the database is the newest of what
 * was reported.
 */
export class ServiceWitness {
  #isGiven = false;

  get isGiven(): boolean {
    return this.#isGiven;
  }

  give(): void {
    this.#isGiven = true;
  }
}
