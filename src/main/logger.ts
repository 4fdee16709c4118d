import { type DestinationStream, type Logger, pino } from 'pino';

/** Fields of PostgreSQL's errors that have values of the rows or the statement in them. */
const valuesOfRows = ['detail', 'hint', 'where', 'internalQuery'];

/** Writes JSON lines, to standard output unless told otherwise. */
export function createLogger(level: string, destination?: DestinationStream): Logger {
  const serializers = {
    err: (error: Error) => {
      const told = pino.stdSerializers.err(error) as unknown as Record<string, unknown>;
      return Object.fromEntries(Object.entries(told).filter(([field]) => !valuesOfRows.includes(field)));
    },
  };
  return pino({ level, base: { pid: process.pid }, serializers }, destination ?? boundedDestination(1));
}

/** Bytes of lines that wait in memory for who reads them. */
const mostWaiting = 16 * 1024 * 1024;

/**
 * Anybody can cause a line for each request, faster than a slow reader takes them. Lines that find no room are dropped and counted: the
 * next one that does is preceded by one that says how many.
 */
export function boundedDestination(fd: number, maxLength = mostWaiting): DestinationStream {
  const sink = pino.destination({ dest: fd, maxLength });
  let dropped = 0;
  sink.on('drop', () => {
    dropped += 1;
  });
  return {
    write(line) {
      if (dropped > 0) {
        const lines = dropped;
        dropped = 0;
        sink.write(
          `${JSON.stringify({ level: 40, time: Date.now(), pid: process.pid, lines, msg: 'log.dropped' })}\n`,
        );
        // There is no room yet.
        if (dropped > 0) dropped = lines;
      }
      sink.write(line);
    },
  };
}
