import { alwaysChanged, serveVariant } from './variant.ts';

// The real server, but no answer of it can come from memory: every request is the first after a change.
await serveVariant(storage => ({ guard: alwaysChanged(storage) }));
