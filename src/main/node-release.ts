import { ConfigurationError } from './configuration-error.ts';

/** The security releases of March 24, 2026; later release lines include the fixes. */
const firstSafe = ['20.20.2', '22.22.2', '24.14.1', '25.8.2'];

/**
 * Throws a `ConfigurationError` for a Node.js release with known vulnerabilities: denial of service through hash collisions in V8
 * (CVE-2026-21717), and sandbox escapes through the permission model (CVE-2026-21715, CVE-2026-21716).
 *
 * @param release as `process.version`
 */
export function assertSafeNode(release: string): void {
  if (isSafe(release.slice(1))) return;
  throw new ConfigurationError(
    `Node.js ${release.slice(1)} has known vulnerabilities: a single request can stop the service (CVE-2026-21717). ` +
      `Install ${firstSafe.slice(0, -1).join(', ')} or a later release of the same line.`,
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
