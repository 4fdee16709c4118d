import { type DestinationStream, type Logger, pino } from 'pino';

/** Fields of PostgreSQL errors that can contain row values or statements. */
const valuesOfRows = ['detail', 'hint', 'where', 'internalQuery'];

export function createLogger(level: string, destination: DestinationStream): Logger {
  const serializers = {
    err: (error: Error) => {
      const fields = pino.stdSerializers.err(error) as unknown as Record<string, unknown>;
      return Object.fromEntries(Object.entries(fields).filter(([field]) => !valuesOfRows.includes(field)));
    },
  };
  return pino({ level, base: { pid: process.pid }, serializers }, destination);
}
