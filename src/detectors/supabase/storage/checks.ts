import { lowers, safeguards } from '../../../domain/safeguards.ts';
import type { Check } from '../../detector.ts';

export const storageChecks = {
  publicBucket: {
    id: 'supabase.bucket_public',
    title: 'Files of a storage bucket are public',
    severity: 'medium',
    why: 'Whoever knows or guesses the name of a file in a public bucket can download it without a log-in, and no policy of row security applies.',
    fix: {
      advice:
        "If the files are not for everybody, make the bucket private: dashboard, Storage, Edit bucket, or `UPDATE storage.buckets SET public = false WHERE id = 'name';`, then hand out `createSignedUrl` links and write policies on `storage.objects`. For pictures of the site itself a public bucket is right: limit it to them, `allowed_mime_types: ['image/*']`.",
    },
    references: [
      'https://supabase.com/docs/guides/storage/buckets/fundamentals',
      'https://supabase.com/docs/guides/storage/security/access-control',
    ],
    safeguards: [
      lowers(safeguards.accessControl, 'Anyone who knows or guesses a name can fetch the file.'),
      lowers(
        safeguards.usesAndDisclosures,
        'If the bucket holds health information, it is disclosed to anyone who asks.',
      ),
    ],
  },
} as const satisfies Record<string, Check>;
