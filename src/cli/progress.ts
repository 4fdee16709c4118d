import { SingleBar } from 'cli-progress';
import type { ScanWithRuns } from '../contract/scans.ts';
import { forTerminal } from './terminal.ts';

export interface Progress {
  update(scan: ScanWithRuns): void;
  /** Takes the bar away. Idempotent. */
  stop(): void;
}

/** A bar on a terminal; elsewhere one line for each change, so that a log stays short. */
export function scanProgress(stream: NodeJS.WriteStream): Progress {
  return stream.isTTY ? bar(stream) : lines(stream);
}

function bar(stream: NodeJS.WriteStream): Progress {
  const begin = Date.now();
  const elapsed = () => Math.round((Date.now() - begin) / 1000);
  const shown = new SingleBar({
    stream,
    format: '{status} {bar} {value} of {total} runs, {elapsed} s',
    barCompleteChar: '█',
    barIncompleteChar: '░',
    barsize: 30,
    hideCursor: false,
    clearOnComplete: true,
    gracefulExit: false,
  });
  shown.start(1, 0, { status: 'queued', elapsed: 0 });
  // All runs of a source end together: the seconds show that it goes on.
  const ticking = setInterval(() => shown.update({ elapsed: elapsed() }), 500);
  return {
    update: scan => {
      shown.setTotal(Math.max(1, scan.runs.length));
      shown.update(endedRuns(scan), { status: forTerminal(scan.status), elapsed: elapsed() });
    },
    stop: () => {
      clearInterval(ticking);
      shown.stop();
    },
  };
}

function lines(stream: NodeJS.WriteStream): Progress {
  let last = '';
  return {
    update: scan => {
      const line = `scan ${scan.id}: ${scan.status}, ${endedRuns(scan)} of ${scan.runs.length} runs ended\n`;
      if (line !== last) stream.write(forTerminal(line));
      last = line;
    },
    stop: () => {},
  };
}

function endedRuns(scan: ScanWithRuns): number {
  return scan.runs.filter(({ status }) => status !== 'queued' && status !== 'running').length;
}
