/** In whose name a worker does what nobody has asked for in person. */
export const worker = { kind: 'service', id: 'worker' } as const;
