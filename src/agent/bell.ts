/** Wakes one waiter; a ring without a waiter wakes the next one. The signal rings it too. */
export class Bell {
  #isRung = false;
  #wake = () => {};

  constructor(signal: AbortSignal) {
    signal.addEventListener('abort', () => this.ring(), { once: true });
  }

  readonly ring = (): void => {
    this.#isRung = true;
    this.#wake();
  };

  /** Waits for a ring since the last wait. */
  async wait(): Promise<void> {
    if (!this.#isRung) {
      await new Promise<void>(resolve => {
        this.#wake = resolve;
      });
    }
    this.#isRung = false;
  }
}
