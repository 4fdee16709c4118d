/** The User-Agent of a probe's requests to websites. */
export function probeUserAgent(version: string): string {
  return `Parapet-Probe/${version} (security posture assessment of this network)`;
}
