/** As many decimals as a value of hundredths has, and at least so many. */
function exactDecimals(value: number, least: number): number {
  const isExact = (decimals: number) =>
    Math.abs(value * 10 ** decimals - Math.round(value * 10 ** decimals)) < 10 ** (decimals - 7)
  return [0, 1].find((decimals) => decimals >= least && isExact(decimals)) ?? 2
}

/** One decimal, two where the sensor gives more. */
export const temperatureDecimals = (celsius: number): number => exactDecimals(celsius, 1)

/** None, unless a sensor or a person gave some. */
export const percentDecimals = (percent: number): number => exactDecimals(percent, 0)

/** Peaks, extremes and limits are not rounded: else one reads as the limit that it is beyond. */
export const measureDecimals = (measure: 'temperature' | 'humidity', value: number): number =>
  measure === 'temperature' ? temperatureDecimals(value) : percentDecimals(value)

interface Range {
  min: number | null
  max: number | null
}

/** The fewest decimals at which a percentage still stands to its limits as it was judged: 60.4 is above 60, and 60 is not. */
export function judgedPercentDecimals(percent: number, { min, max }: Range): number {
  const side = (shown: number) => (max !== null && shown > max ? 1 : min !== null && shown < min ? -1 : 0)
  return [0, 1].find((decimals) => side(Number(percent.toFixed(decimals))) === side(percent)) ?? 2
}
