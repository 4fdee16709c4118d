import { CspEvaluator } from 'csp_evaluator/dist/evaluator.js';
import { Severity } from 'csp_evaluator/dist/finding.js';
import { CspParser } from 'csp_evaluator/dist/parser.js';
import { readMarkup } from '../../../src/detectors/website/markup.ts';
import { separatePolicies } from '../../../src/detectors/website/policy-directives.ts';
import type { Specialist } from '../case.ts';
import type { HeaderMaterial } from '../headers/material.ts';

const certain: readonly Severity[] = [Severity.HIGH, Severity.SYNTAX, Severity.MEDIUM];

/** Google's CSP Evaluator. It reads one policy: with several, each of them must be reported, and without one the empty policy is. */
export const cspEvaluator: Specialist = {
  name: 'CSP Evaluator',
  judge: async materials =>
    materials.map(material => {
      const policies = policiesOf(JSON.parse(material) as HeaderMaterial);
      return (policies.length === 0 ? [''] : policies).every(policy =>
        new CspEvaluator(new CspParser(policy).csp)
          .evaluate()
          .some(({ severity }) => certain.includes(severity)),
      );
    }),
};

function policiesOf({ headers, body }: HeaderMaterial): string[] {
  const values = [headers['content-security-policy'] ?? []].flat();
  const page = {
    ...({ method: 'GET', url: 'https://portal.clinic.com/', status: 200, body } as const),
    headers: [['content-type', 'text/html'] as const],
    ...{ body_truncated: false, body_unread: null },
  };
  return separatePolicies([...values, ...readMarkup(page).policies]);
}
