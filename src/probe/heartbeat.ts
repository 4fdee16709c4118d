import type { SpoolStats } from '../agent/spool-files.ts';
import type { Target } from './configuration.ts';
import type { EventContent } from './recorder.ts';
import type { TargetMemory } from './state.ts';

/** What a probe reports about itself. */
export function makeHeartbeat(
  targets: readonly Target[],
  memoryOf: (target: Target) => TargetMemory,
  started_at: string,
  intervalSeconds: number,
  { events, bytes, oldestAt, setAside }: SpoolStats,
): EventContent {
  return {
    kind: 'probe.heartbeat',
    started_at,
    interval_seconds: intervalSeconds,
    spool: { events, bytes, oldest_at: oldestAt, set_aside: setAside },
    targets: targets.map(target => {
      const { state, errorCode, checkedAt, latencyMs } = memoryOf(target);
      return {
        name: target.name,
        source_id: target.sourceId,
        state,
        ...(errorCode ? { error_code: errorCode } : {}),
        checked_at: checkedAt,
        latency_ms: latencyMs,
        every_seconds: target.everySeconds,
      };
    }),
  };
}
