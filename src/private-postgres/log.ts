/** Takes one happening: its name and what there is to know about it, to be written as one line. */
export type Log = (event: string, fields: object) => void;
