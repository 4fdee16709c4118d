/** The actor of changes that a worker makes without a request by a person or key. */
export const worker = { kind: 'service', id: 'worker' } as const;
