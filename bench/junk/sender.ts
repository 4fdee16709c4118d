import { Junk } from '../../test/support/junk.ts';
import { answerEach } from '../processes/forked.ts';

// The process that sends junk, separate from the measuring process and the server.

export type JunkCommand =
  | { readonly kind: 'start'; readonly url: string; readonly connections: number; readonly perSecond: number }
  | { readonly kind: 'stop' };

export interface JunkSent {
  readonly sent: number;
  readonly cpuSeconds: number;
}

let junk: Junk | undefined;
let cpu = process.cpuUsage();

answerEach<JunkCommand, JunkSent | null>(async command => {
  if (command.kind === 'start') {
    cpu = process.cpuUsage();
    junk = new Junk(command.url, command);
    return null;
  }
  junk!.stop();
  const { user, system } = process.cpuUsage(cpu);
  return { sent: junk!.sent, cpuSeconds: (user + system) / 1e6 };
});
