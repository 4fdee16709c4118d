/** Weights of the metrics of CVSS 3.0 and 3.1 (https://www.first.org/cvss/v3.1/specification-document, 7.4). */
const weights: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  AV: { N: 0.85, A: 0.62, L: 0.55, P: 0.2 },
  AC: { L: 0.77, H: 0.44 },
  UI: { N: 0.85, R: 0.62 },
  C: { H: 0.56, L: 0.22, N: 0 },
  I: { H: 0.56, L: 0.22, N: 0 },
  A: { H: 0.56, L: 0.22, N: 0 },
};
const privileges = { U: { N: 0.85, L: 0.62, H: 0.27 }, C: { N: 0.85, L: 0.68, H: 0.5 } } as const;

/** The base score of a vector of CVSS 3.0 or 3.1, 0 to 10. Throws for any other text. */
export function baseScore(vector: string): number {
  const [version, ...parts] = vector.split('/');
  if (!/^CVSS:3\.[01]$/.test(version ?? '')) throw new Error(`Not a vector of CVSS 3: ${vector}`);
  const metrics = new Map(parts.map(part => part.split(':') as [string, string]));
  const weight = (name: string) => {
    const value = weights[name]?.[metrics.get(name) ?? ''];
    if (value === undefined) throw new Error(`${vector} has no valid ${name}`);
    return value;
  };
  const scope = metrics.get('S') === 'C' ? 'C' : 'U';
  const privilege = privileges[scope][metrics.get('PR') as 'N' | 'L' | 'H'];
  if (privilege === undefined) throw new Error(`${vector} has no valid PR`);
  const lost = 1 - (1 - weight('C')) * (1 - weight('I')) * (1 - weight('A'));
  const impact = scope === 'C' ? 7.52 * (lost - 0.029) - 3.25 * (lost - 0.02) ** 15 : 6.42 * lost;
  if (impact <= 0) return 0;
  const exploitability = 8.22 * weight('AV') * weight('AC') * privilege * weight('UI');
  return roundedUp(Math.min((scope === 'C' ? 1.08 : 1) * (impact + exploitability), 10));
}

/** To the next tenth, without errors of binary fractions (appendix A). */
function roundedUp(value: number): number {
  const whole = Math.round(value * 100_000);
  return whole % 10_000 === 0 ? whole / 100_000 : (Math.floor(whole / 10_000) + 1) / 10;
}

/** The qualitative severity of a base score (section 5), in lowercase. */
export function severityOf(score: number): 'info' | 'low' | 'medium' | 'high' | 'critical' {
  if (score >= 9) return 'critical';
  if (score >= 7) return 'high';
  if (score >= 4) return 'medium';
  return score > 0 ? 'low' : 'info';
}

/** The metrics of the base score only. */
export const baseVector = (vector: string): string =>
  vector
    .split('/')
    .filter(part => /^(?:CVSS|AV|AC|PR|UI|S|C|I|A):/.test(part))
    .join('/');
