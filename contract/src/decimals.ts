/** One decimal, two where the sensor gives more. */
export const temperatureDecimals = (celsius: number): number =>
  Math.abs(celsius * 10 - Math.round(celsius * 10)) < 1e-6 ? 1 : 2
