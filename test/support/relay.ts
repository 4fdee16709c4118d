import net from 'node:net';
import { rawServer, type TestServer } from './website.ts';

/**
 * A relay to a real server that replaces some of its text, to imitate releases that are not available here.
 *
 * @param change of text with one character for each byte; it must keep the length
 */
export function startRelay(port: number, change: (text: string) => string): Promise<TestServer> {
  return rawServer(socket => {
    const upstream = net.connect(port, '127.0.0.1');
    upstream.on('data', data => socket.write(Buffer.from(change(data.toString('latin1')), 'latin1')));
    upstream.on('error', () => socket.destroy()).on('close', () => socket.destroy());
    socket.on('close', () => upstream.destroy()).pipe(upstream);
  });
}
