import { clearLine, cursorTo } from 'node:readline';
import type { ScanWithRuns } from '../contract/scans.ts';
import { forTerminal } from './terminal.ts';

export interface Progress {
  update(scan: ScanWithRuns): void;
  /** Removes the bar. Idempotent. */
  stop(): void;
}

const barLength = 30;

/** A progress bar on a terminal, and one line for each change elsewhere. */
export function scanProgress(stream: NodeJS.WriteStream): Progress {
  return stream.isTTY ? bar(stream) : lines(stream);
}

function bar(stream: NodeJS.WriteStream): Progress {
  const begin = Date.now();
  let shown = { status: 'queued', ended: 0, total: 1 };
  const draw = () => {
    const { status, ended, total } = shown;
    const filled = Math.round((ended / total) * barLength);
    const seconds = Math.round((Date.now() - begin) / 1000);
    clear();
    stream.write(
      `${status} ${'█'.repeat(filled)}${'░'.repeat(barLength - filled)} ${ended} of ${total} runs, ${seconds} s`,
    );
  };
  const clear = () => {
    cursorTo(stream, 0);
    clearLine(stream, 1);
  };
  draw();
  // All runs of a source end together: the seconds show progress in the meantime.
  const ticking = setInterval(draw, 500);
  return {
    update: scan => {
      shown = {
        status: forTerminal(scan.status),
        ended: endedRuns(scan),
        total: Math.max(1, scan.runs.length),
      };
      draw();
    },
    stop: () => {
      clearInterval(ticking);
      clear();
    },
  };
}

function lines(stream: NodeJS.WriteStream): Progress {
  let last = '';
  return {
    update: scan => {
      const line = `scan ${scan.id}: ${scan.status}, ${endedRuns(scan)} of ${scan.runs.length} runs finished\n`;
      if (line !== last) stream.write(forTerminal(line));
      last = line;
    },
    stop: () => {},
  };
}

export function endedRuns(scan: ScanWithRuns): number {
  return scan.runs.filter(({ status }) => status !== 'queued' && status !== 'running').length;
}
