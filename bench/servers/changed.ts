import { alwaysChanged, serveVariant } from './variant.ts';

// The real server without responses from memory: every request is the first after a change.
await serveVariant(storage => ({ guard: alwaysChanged(storage) }));
