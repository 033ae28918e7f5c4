/** Activation energy assumed of what spoils: USP <1079.2>, Haynes 1971. */
export const activationKjPerMol = 83.144
// Over the gas constant, 8.3144e-3 kJ/(mol K): kelvin.
const activationK = 10_000
const zeroCelsiusK = 273.15

/** exp(-dH/(R T)) of a temperature in hundredths of a degree Celsius: how fast things spoil at it, relative. */
export function spoilRate(centi: number): number {
  const index = centi + 32_768
  const known = rates[index]
  if (known) return known
  const rate = Math.exp(-activationK / (centi / 100 + zeroCelsiusK))
  rates[index] = rate
  return rate
}
const rates = new Float64Array(65_536)

/**
 * Mean kinetic temperature in degrees Celsius: T = (dH/R) / -ln( sum(t_i exp(-dH/(R T_i))) / sum(t_i) ).
 * `spoilSum` is the first sum, `weight` the second, in the same unit of time. Null without any time.
 */
export function meanKineticC(spoilSum: number, weight: number): number | null {
  if (!(weight > 0)) return null
  return activationK / -Math.log(spoilSum / weight) - zeroCelsiusK
}
