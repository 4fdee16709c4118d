/** How a probe reports on a source, as the service knows it. */
export interface ProbeCapture {
  /** The probe's name. */
  readonly probe: string;
  /** When this was the case. */
  readonly collected_at: string;
  /** Seconds between its heartbeats. */
  readonly interval_seconds: number;
  /** Whether it still reports, but not on the source. */
  readonly omits_source: boolean;
  /** Seconds since its last report on the source; null if it reports as agreed. */
  readonly silent_seconds: number | null;
}
