import type { SupabaseBucket, SupabaseEvidence } from '../../../evidence/supabase.ts';
import type { GoldenCase } from '../../golden-case.ts';
import { notSeen, projectWith, seen } from '../hardened-evidence.ts';

const bucket = (name: string, types: readonly string[] | null = null): Partial<SupabaseEvidence> => ({
  buckets: seen<readonly SupabaseBucket[]>([{ name, public: true, allowed_mime_types: types }]),
});
const found = (locator: string) => [{ check: 'supabase.bucket_public', locator }];

export const cases: readonly GoldenCase<SupabaseEvidence>[] = [
  { name: 'private buckets', evidence: projectWith(), expected: [] },
  { name: 'no buckets', evidence: projectWith({ buckets: seen([]) }), expected: [] },
  { name: 'public documents', evidence: projectWith(bucket('documents')), expected: found('documents') },
  { name: 'pictures of users', evidence: projectWith(bucket('avatars')), expected: found('avatars') },
  {
    name: 'pictures by type',
    evidence: projectWith(bucket('a1', ['image/png', 'image/webp'])),
    expected: found('a1'),
  },
  {
    name: 'pictures of patients',
    evidence: projectWith(bucket('patient-images', ['image/jpeg'])),
    expected: found('patient-images'),
  },
  {
    name: 'the Storage API does not answer',
    evidence: projectWith({ buckets: notSeen() }),
    expected: [],
    notAssessed: ['supabase.bucket_public'],
  },
];
