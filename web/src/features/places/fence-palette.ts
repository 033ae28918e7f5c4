import type { FenceColour } from '@isotherm/contract/places.ts'

/** On land and sea, light and dark; each line also lies on a casing, which is what white on white is seen by. */
export const fenceHex: Record<FenceColour, `#${string}`> = {
  red: '#d3343a',
  green: '#2f8f3e',
  orange: '#e07b18',
  yellow: '#f0c419',
  white: '#ffffff',
}
