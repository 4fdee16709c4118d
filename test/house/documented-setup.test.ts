import { readFileSync } from 'node:fs';
import { Value } from 'typebox/value';
import { expect, it } from 'vitest';
import { DocumentedCredential, type SourceKind, SubmitCredential } from '../../src/contract/sources.ts';
import { credentialTypesOf } from '../../src/domain/source-states.ts';
import { credentialProblems } from '../../src/scan/credential-problems.ts';
import { challengeLabel, challengePath, proofPlaces } from '../../src/surfaces/website/proof-places.ts';

const pages: Readonly<Record<SourceKind, string>> = {
  website: 'docs/scanning.md',
  postgres: 'docs/databases/postgres.md',
  mysql: 'docs/databases/mysql.md',
  redis: 'docs/databases/redis.md',
  supabase: 'docs/databases/supabase.md',
};

it.each(Object.entries(pages) as [SourceKind, string][])(
  'the page of %s shows how to store each type of its credentials',
  (kind, page) => {
    const text = readFileSync(page, 'utf8');
    const bodies = [...text.matchAll(/^```json\n(\{"credential":.*\})\n```$/gm)].map(([, body]) =>
      JSON.parse(body!),
    );
    expect(bodies.map(({ credential }) => credential.type).sort()).toEqual(
      [...credentialTypesOf(kind)].sort(),
    );
    for (const body of bodies) {
      expect(Value.Check(DocumentedCredential, body), page).toBe(true);
      expect(Value.Check(SubmitCredential, body), page).toBe(true);
      expect(credentialProblems(kind, body.credential), page).toEqual([]);
    }
    expect(text).toContain('parapet call POST /api/v1/sources/SOURCE/credential --body @credential.json');
  },
);

it('shows the places of the proof of a domain', () => {
  const { record, url } = proofPlaces('https://portal.example.com');
  const text = readFileSync('docs/scanning.md', 'utf8');
  expect(text).toContain(`TXT record \`${record}\``);
  expect(text).toContain(`\`${url}\``);
  expect(text).toMatch(new RegExp(`${record}\\. 300 IN TXT "parapet-[0-9a-f]{48}"`));
  const readme = readFileSync('README.md', 'utf8');
  expect(readme).toContain(challengeLabel);
  expect(readme).toContain(challengePath);
});
