import { ConfigurationError } from './configuration.ts';

/** Of each line, the release of 24 March 2026; lines that began later have had its fixes from the start. */
const firstSafe = ['20.20.2', '22.22.2', '24.14.1', '25.8.2'];

/**
 * Throws a `ConfigurationError` where this release of Node.js has known flaws by which clients stop the service, or a scan's target
 * leaves the sandbox: texts that a client chooses collide in V8's tables (CVE-2026-21717), and the permission model has gaps
 * (CVE-2026-21715, CVE-2026-21716).
 *
 * @param release as `process.version`
 */
export function assertSafeNode(release: string): void {
  if (isSafe(release.slice(1))) return;
  throw new ConfigurationError(
    `Node.js ${release.slice(1)} has known security flaws: anyone could stop the service with one request (CVE-2026-21717). ` +
      `Install ${firstSafe.slice(0, -1).join(', ')}, or a later release of these lines.`,
  );
}

function isSafe(version: string): boolean {
  const [major, ...rest] = numbersOf(version);
  const first = firstSafe.map(numbersOf).find(([line]) => line === major);
  if (!first) return major! > numbersOf(firstSafe.at(-1)!)[0]!;
  const [minor, patch] = rest as [number, number];
  return minor === first[1] ? patch >= first[2]! : minor > first[1]!;
}

function numbersOf(version: string): number[] {
  return version.split('.').map(part => Number.parseInt(part, 10));
}
