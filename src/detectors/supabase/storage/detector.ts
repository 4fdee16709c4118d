import type { SupabaseBucket, SupabaseCapture } from '../../../captures/supabase.ts';
import { detecting, quoted } from '../../detection.ts';
import type { Detector } from '../../detector.ts';
import { printable } from '../../printable.ts';
import { isSensitiveName } from '../sensitive-names.ts';
import { storageChecks as checks } from './checks.ts';

/** Public storage buckets. */
export const supabaseStorageDetector: Detector<SupabaseCapture> = {
  name: 'supabase.storage',
  surface: 'supabase',
  checks: Object.values(checks),
  detect: detecting((found, { buckets }) => {
    if (!buckets.assessed) return found.cannotAssess(Object.values(checks), buckets.reason);
    for (const bucket of buckets.value.filter(bucket => bucket.public)) {
      const place = printable(bucket.name);
      const seen = `The bucket ${quoted(bucket.name)} is public`;
      if (holdsPictures(bucket)) {
        found.observe(checks.publicBucket, place, `${seen}, as is usual for its content.`, 'info');
      } else {
        found.observe(
          checks.publicBucket,
          place,
          `${seen}, and neither its name nor its file types explain why.`,
        );
      }
    }
  }),
};

/** Usual names of buckets with content for every visitor. */
const usual = new Set([
  ...['avatar', 'avatars', 'image', 'images', 'img', 'logo', 'logos', 'icon', 'icons', 'banner', 'banners'],
  ...['thumbnail', 'thumbnails', 'cover', 'covers', 'asset', 'assets', 'static', 'public', 'media', 'fonts'],
  ...['photos', 'videos', 'blog', 'website', 'products'],
]);

function holdsPictures({ name, allowed_mime_types }: SupabaseBucket): boolean {
  if (isSensitiveName(name)) return false;
  const isShown = (type: string) => /^(?:image|video|audio|font)\//.test(type) || type === 'text/css';
  if (allowed_mime_types !== null && allowed_mime_types.length > 0) return allowed_mime_types.every(isShown);
  return name
    .toLowerCase()
    .split(/[^a-z0-9]/)
    .some(word => usual.has(word));
}
