import { once } from 'node:events';
import http from 'node:http';
import https from 'node:https';
import type { Command } from 'commander';
import { withinTime } from '../../domain/within-time.ts';
import { type Configuration, readConfiguration } from '../configuration.ts';
import { ConfigurationError } from '../configuration-error.ts';

interface Options {
  readonly port?: string;
  readonly host?: string;
  readonly url?: string;
  readonly timeout: string;
}

/** The running service is not ready, or does not answer. `message` is one line for the operator. */
class ServiceNotReady extends Error {
  override readonly name = 'ServiceNotReady';
}

export function addHealth(program: Command): void {
  program
    .command('health')
    .description('exit with 0 if the service on this machine is ready, otherwise with 1 and the reason')
    .option('--port <number>', 'port of the service (PORT, default 8080)')
    .option('--host <address>', 'address of the service (HOST, default 127.0.0.1)')
    .option('--url <url>', 'address of another service or management port')
    .option('--timeout <seconds>', 'how long it may take to answer', '5')
    .action(health);
}

async function health({ url, timeout, ...options }: Options): Promise<void> {
  if (!/^[1-9]\d{0,3}$/.test(timeout))
    throw new ConfigurationError(`--timeout must be a number of seconds from 1 to 9999, not ${timeout}`);
  const address = url === undefined ? addressOf(readConfiguration(process.env, options)) : givenAddress(url);
  await assertReady(new URL('readyz', address), Number(timeout));
  process.stdout.write('ready\n');
}

/**
 * The management port if it is chosen, and otherwise the public port: a service that listens on a port that it was given is this one.
 * The default management port can be that of another service. Throws `ConfigurationError`.
 */
function addressOf({ port, host, managementPort, managementHost }: Configuration): URL {
  if (typeof managementPort === 'number' && managementPort > 0) return urlOf(managementHost, managementPort);
  if (port > 0) return urlOf(host, port);
  throw new ConfigurationError(
    'parapet health requires a port: set PARAPET_MANAGEMENT_PORT or PORT to a number other than 0, or give --url',
  );
}

function urlOf(host: string, port: number): URL {
  // A service that listens on all addresses answers on loopback.
  const name = host.replace(/^0\.0\.0\.0$/, '127.0.0.1').replace(/^::$/, '::1');
  return new URL(`http://${name.includes(':') ? `[${name}]` : name}:${port}/`);
}

function givenAddress(value: string): URL {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash)
    throw new ConfigurationError('--url must be an http or https URL, such as http://127.0.0.1:9464');
  if (!url.pathname.endsWith('/')) url.pathname += '/';
  return url;
}

async function assertReady(url: URL, seconds: number): Promise<void> {
  let answer: { readonly code: number; readonly status: string | undefined };
  try {
    answer = await withinTime(seconds * 1_000, undefined, signal => answerOf(url, signal));
  } catch (error) {
    const { code, name, cause } = error as NodeJS.ErrnoException;
    const isLate = (cause as Error | undefined)?.name === 'TimeoutError';
    const reason = isLate ? `no answer within ${seconds} s` : (code ?? name);
    const hint =
      code === 'ECONNREFUSED' ? '. A worker has a management port only: set PARAPET_MANAGEMENT_PORT' : '';
    throw new ServiceNotReady(`not ready: ${url} cannot be reached (${reason})${hint}`);
  }
  const { code, status } = answer;
  if (code !== 200)
    throw new ServiceNotReady(`not ready: ${url} answered ${code}${status ? `: ${status}` : ''}`);
}

/** Characters of an answer that are read: that of Parapet is shorter. */
const longestAnswer = 1_000;

/** Not with `fetch`, which refuses some ports. */
async function answerOf(url: URL, signal: AbortSignal) {
  const request = (url.protocol === 'https:' ? https : http).get(url, { signal, agent: false });
  const [response] = (await once(request, 'response')) as [http.IncomingMessage];
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) {
    text += chunk;
    if (text.length > longestAnswer) break;
  }
  return { code: response.statusCode!, status: statusIn(text) };
}

/** Undefined if it is not an answer of Parapet. */
function statusIn(text: string): string | undefined {
  try {
    const { status } = JSON.parse(text);
    return typeof status === 'string' ? status : undefined;
  } catch {
    return undefined;
  }
}
