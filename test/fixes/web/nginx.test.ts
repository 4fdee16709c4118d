import { nginx } from './nginx.ts';
import { proveFixes } from './prove.ts';

proveFixes(nginx, {
  'headers.framing_unrestricted': {},
  'headers.nosniff_missing': {},
  'headers.referrer_policy': {},
  'headers.permissions_policy_missing': {},
  'headers.cross_origin_isolation': {},
  'headers.cacheable_session': {
    configuration: {
      'nginx.server': 'add_header Set-Cookie "session=value; Secure; HttpOnly; SameSite=Lax";',
    },
  },
  'headers.content_type_missing': {},
  'headers.version_banner': {},
});
