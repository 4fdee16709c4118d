import type { JunkOutcome, Latencies } from '../junk/measure.ts';
import { table } from './table.ts';

/** The latencies without and with junk, in Markdown. */
export function junkTable({ signed, healthz, sentPerSecond, senderShare, serverShare }: JunkOutcome): string {
  const row = (name: string, { p50, p99, worst }: Latencies) => [
    name,
    ...[p50, p99, worst].map(value => value.toFixed(1)),
  ];
  const percent = (share: number) => `${(share * 100).toFixed(0)}%`;
  return [
    table(
      ['ms', 'p50', 'p99', 'worst'],
      [
        row('signed GET findings, quiet', signed.quiet),
        row('signed GET findings, with junk', signed.junk),
        row('signed GET findings, with junk and hostile scans', signed.hostile),
        row('/healthz, quiet', healthz.quiet),
        row('/healthz, with junk', healthz.junk),
        row('/healthz, with junk and hostile scans', healthz.hostile),
      ],
    ),
    `${sentPerSecond.toFixed(0)} junk requests/s. CPU of one core: sender ${percent(senderShare)}, server ${percent(serverShare.junk)} (quiet ${percent(serverShare.quiet)}, with hostile scans ${percent(serverShare.hostile)}).`,
  ].join('\n\n');
}
