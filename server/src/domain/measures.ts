/** The measures that a device records over time and is judged by. */
export type Measure = 'temperature' | 'humidity'
export const measures: readonly Measure[] = ['temperature', 'humidity']

/** One value of one measure: `at` in ms since 1970, `value` in hundredths of a degree Celsius or of a percent. */
export interface Point {
  at: number
  value: number
}

/** The rule that judges a point: limits (null is none, a value on the limit is inside) and how long the point may hold, in ms. */
export interface Rule {
  min: number | null
  max: number | null
  holdMs: number
}

/** A point that waits for its successor to know how long it held. */
export interface Held extends Point {
  holdMs: number
}

/** A gap longer than this many intervals is missing evidence: no value is assumed to have held that long. */
export const intervalsHeld = 3

/** Degrees (or percent) to hundredths, rounded to the nearest; -0 becomes 0. */
export const toCenti = (value: number): number => Math.round(value * 100) + 0
export const fromCenti = (centi: number): number => centi / 100
export const hundredths = (centi: number | null): number | null => (centi === null ? null : centi / 100)

/** A latitude or longitude, stored as degrees times 1e7. */
export const degrees = (e7: number): number => e7 / 1e7
