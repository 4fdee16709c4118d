import type { SupabaseBucket, SupabaseCapture } from '../../../captures/supabase.ts';
import type { GoldenCase } from '../../golden-case.ts';
import { notSeen, projectWith, seen } from '../hardened-capture.ts';

const bucket = (name: string, types: readonly string[] | null = null): Partial<SupabaseCapture> => ({
  buckets: seen<readonly SupabaseBucket[]>([{ name, public: true, allowed_mime_types: types }]),
});
const found = (locator: string) => [{ check: 'supabase.bucket_public', locator }];

export const cases: readonly GoldenCase<SupabaseCapture>[] = [
  { name: 'private buckets', capture: projectWith(), expected: [] },
  { name: 'no buckets', capture: projectWith({ buckets: seen([]) }), expected: [] },
  { name: 'public documents', capture: projectWith(bucket('documents')), expected: found('documents') },
  { name: 'pictures of users', capture: projectWith(bucket('avatars')), expected: found('avatars') },
  {
    name: 'pictures, by file type',
    capture: projectWith(bucket('a1', ['image/png', 'image/webp'])),
    expected: found('a1'),
  },
  {
    name: 'pictures of patients',
    capture: projectWith(bucket('patient-images', ['image/jpeg'])),
    expected: found('patient-images'),
  },
  {
    name: 'the Storage API does not answer',
    capture: projectWith({ buckets: notSeen() }),
    expected: [],
    notAssessed: ['supabase.bucket_public'],
  },
];
