import { alwaysChanged, serveVariant } from './variant.ts';

// The real server without responses from memory: every request reads its page, as the first after a change elsewhere.
await serveVariant(storage => ({ guard: alwaysChanged(storage) }));
