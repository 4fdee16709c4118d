/**
 * Waits until its standard input ends, which happens when its parent process ends, then ends all processes that use the
 * folder of its argument, and removes it.
 */
import { readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

const folder = process.argv[2];
const names = [folder, encodeURIComponent(folder)];

/** @param {() => string} read */
function orNothing(read) {
  try {
    return read();
  } catch {
    return '';
  }
}

/** Processes whose working folder, command line or environment contains the folder. */
function processesOfFolder() {
  return readdirSync('/proc').filter(pid => {
    if (!/^\d+$/.test(pid) || Number(pid) === process.pid) return false;
    const texts = [
      orNothing(() => readlinkSync(`/proc/${pid}/cwd`)),
      orNothing(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8')),
      orNothing(() => readFileSync(`/proc/${pid}/environ`, 'utf8')),
    ];
    return texts.some(text => names.some(name => text.includes(name)));
  });
}

process.on('SIGINT', () => {});
process.on('SIGTERM', () => {});
for await (const _ of process.stdin);
const deadline = Date.now() + 30_000;
while (process.platform === 'linux' && Date.now() < deadline) {
  const left = processesOfFolder();
  if (left.length === 0) break;
  for (const pid of left) orNothing(() => String(process.kill(Number(pid), 'SIGKILL')));
  await pause(50);
}
rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
