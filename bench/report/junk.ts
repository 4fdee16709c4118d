import type { JunkOutcome, Latencies } from '../junk/measure.ts';
import { table } from './table.ts';

/** The latencies without and with junk, in Markdown. */
export function junkTable({ signed, healthz, sentPerSecond, senderShare, serverShare }: JunkOutcome): string {
  const row = (name: string, { p50, p99, worst }: Latencies) => [
    name,
    ...[p50, p99, worst].map(value => value.toFixed(1)),
  ];
  const percent = (share: number) => `${(share * 100).toFixed(0)} %`;
  return [
    table(
      ['ms', 'p50', 'p99', 'worst'],
      [
        row('signed GET findings, undisturbed', signed.quiet),
        row('signed GET findings, during junk', signed.junk),
        row('signed GET findings, and hostile scans', signed.hostile),
        row('/healthz, undisturbed', healthz.quiet),
        row('/healthz, during junk', healthz.junk),
        row('/healthz, and hostile scans', healthz.hostile),
      ],
    ),
    `${sentPerSecond.toFixed(0)} junk requests/s; of one core the sender used ${percent(senderShare)}, the server ${percent(serverShare.junk)} (undisturbed ${percent(serverShare.quiet)}, with hostile scans ${percent(serverShare.hostile)}).`,
  ].join('\n\n');
}
