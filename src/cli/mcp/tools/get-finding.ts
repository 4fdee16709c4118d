import { Type } from 'typebox';
import { Finding } from '../../../contract/findings.ts';
import { closed, Uuid } from '../../../contract/values.ts';
import type { Client } from '../../client.ts';
import { checksPageOf, findingPageOf } from '../../describe-check.ts';
import { requestJson } from '../../request-json.ts';
import { reads, tool } from '../tool.ts';
import { describeFinding, only } from './lists.ts';

export const getFinding = tool({
  ...reads,
  name: 'get_finding',
  title: 'Get a finding',
  description:
    'Get a finding with the reason why it matters, the steps of its fix and references. Its place and evidence are only in the dashboard, at dashboard_url.',
  input: closed({ finding_id: Uuid }),
  output: {
    finding: Finding,
    why: Type.Optional(Type.String({ description: 'Missing if this version does not know the check.' })),
    references: Type.Optional(Type.Array(Type.String())),
    documentation_url: Type.String(),
    dashboard_url: Type.String(),
  },
  longestText: 12_000,
  run: async ({ finding_id }, { client, parts, signal }) => {
    const finding = await readFinding(client, finding_id, signal);
    const check = await parts.describe(finding.category);
    const { url } = client.settings;
    const dashboard_url = findingPageOf(url, finding_id);
    const documentation_url = `${checksPageOf(url)}#${encodeURIComponent(finding.category)}`;
    const known = check ? { why: check.why, references: check.references } : {};
    return {
      data: { finding: only(Finding, finding), ...known, documentation_url, dashboard_url },
      summary: `Place and evidence: ${dashboard_url}`,
      lines: [
        describeFinding(finding),
        ...(check ? [`Why: ${check.why}`] : []),
        `Fix: ${finding.remediation}`,
        ...(check ? [`References: ${check.references.join(' ')}`] : []),
      ],
    };
  },
});

export async function readFinding(client: Client, id: string, signal: AbortSignal): Promise<Finding> {
  const path = `/api/v1/findings/${id}`;
  return (await requestJson<{ finding: Finding }>(client, 'GET', path, { signal })).finding;
}
