import type { FindingDetail } from '../../../src/contract/dashboard/findings.ts';
import { Fact, Facts } from '../../components/facts.tsx';
import { Mono } from '../../components/mono.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { TextLink } from '../../components/text-link.tsx';
import { useOrganizationPaths } from '../../paths.ts';

/** Where a finding is, which check reported it, and when. */
export function FindingFacts({ finding }: { readonly finding: FindingDetail }) {
  const to = useOrganizationPaths();
  const { source, system, subject } = finding;
  return (
    <Facts>
      <Fact name="Location">
        <Mono>{finding.locator}</Mono>
      </Fact>
      {subject !== null && (
        <Fact name={source.kind === 'website' ? 'Last seen on page' : 'Last seen in database'}>
          <Mono>{subject}</Mono>
        </Fact>
      )}
      <Fact name="Source">
        <TextLink to={to.object('sources', source.id)} underline="always">
          {source.name}
        </TextLink>{' '}
        ({source.host})
      </Fact>
      <Fact name="System">{system.name}</Fact>
      <Fact name="Check">
        <Mono>{finding.category}</Mono>
      </Fact>
      <Fact name="First seen">
        <RelativeTime at={finding.created_at} />
      </Fact>
      <Fact name="Last seen">
        <RelativeTime at={finding.last_seen_at} />
      </Fact>
    </Facts>
  );
}
