/** Waits for what changes in this process: it is looked at again whenever that is told. What never comes to hold ends with the test's time. */
export class Changes {
  #waiting: (() => void)[] = [];

  /** Something has changed: a commit, an event, a fault. */
  readonly tell = (): void => {
    for (const look of this.#waiting.splice(0)) look();
  };

  async until(holds: () => boolean): Promise<void> {
    while (!holds()) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }
}
