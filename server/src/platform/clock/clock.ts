/** The only source of "now" in the server; tests inject their own. */
export interface Clock {
  now(): Date
}
export const systemClock: Clock = { now: () => new Date() }
