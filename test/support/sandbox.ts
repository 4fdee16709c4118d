import { Sandbox } from '../../src/sandbox/sandbox.ts';

type SandboxOptions = ConstructorParameters<typeof Sandbox>[0];

/** The real sandbox, which may reach this machine. What it logs goes to `log`. */
export function loopbackSandbox(
  options: Partial<SandboxOptions> = {},
): Sandbox & AsyncDisposable & { readonly log: [event: string, fields: object][] } {
  const log: [string, object][] = [];
  const sandbox = new Sandbox({
    settings: { allowlist: ['127.0.0.0/8'], userAgent: 'Parapet/test' },
    processes: 2,
    log: (...entry) => void log.push(entry),
    ...options,
  });
  return Object.assign(sandbox, { log, [Symbol.asyncDispose]: () => sandbox.close() });
}
