/** Writes one JSON line for an event of an agent, as the service logs. */
export function writeLog(event: string, fields: object): void {
  process.stdout.write(`${JSON.stringify({ time: new Date().toISOString(), msg: event, ...fields })}\n`);
}
