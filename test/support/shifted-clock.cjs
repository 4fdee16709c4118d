// Preloaded into a process: its clock is ahead by CLOCK_AHEAD_MS.
const ahead = Number(process.env.CLOCK_AHEAD_MS ?? 0);
const RealDate = Date;
globalThis.Date = class extends RealDate {
  constructor(...given) {
    if (given.length === 0) super(RealDate.now() + ahead);
    else super(...given);
  }
  static now() {
    return RealDate.now() + ahead;
  }
};
