import type { AdvisoryFacts } from '../../../domain/advisories.ts';
import { exploited, scores } from './advisory-scores.ts';

/** @param id CVE or GitHub id */
export function advisoryFacts(id: string): AdvisoryFacts {
  const [score, vector = ''] = (Object.hasOwn(scores, id) ? scores[id]! : '').split(' ');
  return {
    cvss: score ? { score: Number(score), vector } : null,
    exploited: exploited.ids.includes(id),
  };
}
