import { lowers, safeguards } from '../../../domain/safeguards.ts';
import type { Check } from '../../detector.ts';

export const storageChecks = {
  publicBucket: {
    id: 'supabase.bucket_public',
    title: 'A storage bucket is public',
    severity: 'medium',
    why: 'Anyone who knows or guesses a file’s name in a public bucket can download the file without signing in. Row security does not apply.',
    fix: {
      advice:
        'Unless the files are for everyone, make the bucket private, share links from `createSignedUrl`, and write policies on `storage.objects`. For images of the site itself a public bucket is fine: limit it to images in the dashboard and accept this finding.',
      steps: [
        {
          place: 'supabase.sql',
          code: "UPDATE storage.buckets SET public = false WHERE id = 'documents';",
          replace: { documents: 'the bucket' },
        },
      ],
    },
    references: [
      'https://supabase.com/docs/guides/storage/buckets/fundamentals',
      'https://supabase.com/docs/guides/storage/security/access-control',
    ],
    safeguards: [
      lowers(safeguards.accessControl, 'Anyone who knows or guesses its name can download a file.'),
      lowers(
        safeguards.usesAndDisclosures,
        'If the bucket contains health information, anyone can obtain it.',
      ),
    ],
  },
} as const satisfies Record<string, Check>;
