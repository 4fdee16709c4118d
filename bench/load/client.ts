import { answerEach } from '../processes/forked.ts';
import type { Caller } from './caller.ts';
import { Connection } from './connection.ts';
import { bytesOf } from './requests.ts';
import type { Command, Outcome, Round } from './round.ts';

// The process that generates load. It signs before a round and only sends during it, so that signing is not
// measured.

const groups = new Map<string, Caller[]>();
const turns = new Map<string, number>();
let run: (() => Promise<Outcome>) | undefined;

answerEach<Command, Outcome | null>(async command => {
  if (command.kind === 'run') return run!();
  if (command.kind === 'callers') groups.set(command.group, [...command.callers]);
  else run = await prepare(command.round);
  return null;
});

async function prepare(round: Round): Promise<() => Promise<Outcome>> {
  const callers = groups.get(round.group)!;
  // Continues where the last round ended, so that all keys are used equally.
  const first = turns.get(round.group) ?? 0;
  turns.set(round.group, first + round.requests);
  const requests = Array.from({ length: round.requests }, (_, index) =>
    bytesOf(round.ask, callers[(first + index) % callers.length]!),
  );
  const connections = await Promise.all(
    Array.from({ length: round.connections }, () => Connection.open(round.port)),
  );
  return () => send(requests, connections);
}

async function send(requests: readonly Buffer[], connections: readonly Connection[]): Promise<Outcome> {
  const latencies: number[] = [];
  const cpuBefore = process.cpuUsage();
  const started = performance.now();
  let next = 0;
  try {
    await Promise.all(
      connections.map(async connection => {
        while (next < requests.length) {
          const request = requests[next++]!;
          const sent = performance.now();
          await connection.send(request);
          latencies.push(performance.now() - sent);
        }
      }),
    );
  } finally {
    for (const connection of connections) connection.close();
  }
  const seconds = (performance.now() - started) / 1000;
  const cpu = process.cpuUsage(cpuBefore);
  return { seconds, clientCpuSeconds: (cpu.user + cpu.system) / 1e6, latencies };
}
