type Attributes = Readonly<Record<string, string | number>>;

/** A piece of work that is measured. */
export interface Span {
  /** Names it as the parent of later work, also in another process (W3C Trace Context, section 3.2). */
  readonly traceparent: string;
  /** @param problem why it failed, if it did: a code, never text of others */
  end(attributes?: Attributes, problem?: string): void;
}

/** Measures work across processes, if the operator collects traces. */
export interface Tracer {
  /**
   * @param kind `server` for a request, `consumer` for a job
   *
   * @param parent the work that includes it; without one, it begins a trace
   * @param startedAt milliseconds since 1970, if it began before
   */
  start(
    name: string,
    options: {
      readonly kind?: 'server' | 'consumer';
      readonly parent?: string | undefined;
      readonly attributes?: Attributes;
      readonly startedAt?: number;
    },
  ): Span;
}
