/** Logs one event with its fields, as one line. */
export type Log = (event: string, fields: object) => void;
