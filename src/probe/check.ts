import { assess } from './assess.ts';
import { Clock } from './clock.ts';
import type { ProbeConfiguration } from './configuration.ts';
import type { ProbeParts } from './probe.ts';
import { Recorder } from './recorder.ts';
import { batchOf } from './sender.ts';
import { ServiceConnection } from './service-connection.ts';
import type { Spool } from './spool.ts';
import { unseen } from './state.ts';

/**
 * Tests the key and every target, and prints what would be sent: explanations on standard error, and the bodies of the
 * requests on standard output, one per line, byte for byte. Nothing is stored, and no event is sent.
 *
 * @returns whether all of it works
 */
export async function checkProbe(
  configuration: ProbeConfiguration,
  { version, sandbox }: Omit<ProbeParts, 'log'>,
): Promise<boolean> {
  const say = (line: string) => process.stderr.write(`${line}\n`);
  const clock = new Clock();
  const key = await checkService(configuration, clock);
  say(`${key.ok ? 'ok     ' : 'FAILED '} ${configuration.service.url}: ${key.words}`);
  const identity = { name: configuration.name, version, instance: '00000000-0000-4000-8000-000000000000' };
  const recorder = new Recorder(identity, clock, undefined as unknown as Spool);
  let isFine = key.ok;
  for (const target of configuration.targets) {
    const log = (_: string, fields: object) => {
      const { message } = fields as { message?: unknown };
      if (message !== undefined) say(`        ${message}`);
    };
    const { events, memory } = await assess(target, unseen, {
      sandbox,
      timestamp: () => clock.timestamp(),
      signal: new AbortController().signal,
      log,
    });
    const isOk = memory.state === 'ok';
    isFine &&= isOk;
    const results = events.flatMap(event => event.results);
    const count = results.reduce((sum, { observations }) => sum + observations.length, 0);
    say(
      isOk
        ? `ok      ${target.name}: ${results.length} detectors, ${count} findings`
        : `FAILED  ${target.name}: ${memory.errorCode}`,
    );
    for (const event of recorder.complete(events))
      process.stdout.write(`${batchOf([JSON.stringify(event)])}\n`);
  }
  return isFine;
}

/** An empty batch: the service verifies the key, and then refuses the batch. */
async function checkService(
  { service }: ProbeConfiguration,
  clock: Clock,
): Promise<{ readonly ok: boolean; readonly words: string }> {
  const connection = new ServiceConnection(service, clock);
  const attempt = () => connection.post('/functions/v1/events-ingest', batchOf([]));
  try {
    let answer = await attempt();
    if (answer.status === 401 && answer.corrected !== 0) answer = await attempt();
    const seconds = Math.round((clock.offset ?? 0) / 1000);
    const skew =
      seconds === 0
        ? ''
        : `; the clock of this host is ${Math.abs(seconds)} s ${seconds > 0 ? 'behind' : 'ahead'}, which is corrected`;
    if (answer.status === 400) return { ok: true, words: `the key is valid${skew}` };
    if (answer.status === 401)
      return { ok: false, words: `the key was refused: it is revoked, expired or of another service${skew}` };
    return { ok: false, words: `answered ${answer.status}` };
  } catch (error) {
    return { ok: false, words: (error as Error).message };
  } finally {
    connection.close();
  }
}
