import { type DestinationStream, type Logger, pino } from 'pino';

/** Fields of PostgreSQL's errors that have values of the rows or the statement in them. */
const valuesOfRows = ['detail', 'hint', 'where', 'internalQuery'];

/** Writes JSON lines. */
export function createLogger(level: string, destination: DestinationStream): Logger {
  const serializers = {
    err: (error: Error) => {
      const told = pino.stdSerializers.err(error) as unknown as Record<string, unknown>;
      return Object.fromEntries(Object.entries(told).filter(([field]) => !valuesOfRows.includes(field)));
    },
  };
  return pino({ level, base: { pid: process.pid }, serializers }, destination);
}
