import { serveVariant } from './variant.ts';

// The real server in one process, for profiles.
await serveVariant(() => ({}));
