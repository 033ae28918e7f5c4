import type { ChartMark, Measure, Side } from './model.ts'

/** Colour is kept for state: teal in range, red too warm, blue too cold. Checked against both backgrounds. */
export interface Palette {
  ink: string
  surface: string
  muted: string
  grid: string
  band: string
  line: Record<Measure, string>
  side: Record<Side, string>
  sideFill: Record<Side, string>
  /** Behind an excursion, the plot's whole height. */
  sideSpan: Record<Side, string>
  mark: Record<ChartMark['tone'], string>
}

// A canvas cannot read CSS variables: the states' colours repeat those of ui/base.css.
const light: Palette = {
  ink: '#1d232b',
  surface: '#ffffff',
  muted: '#56616d',
  grid: '#dfe3e8',
  band: 'rgba(11, 110, 102, 0.07)',
  line: { temperature: '#0b6e66', humidity: '#6a5f8f', battery: '#56616d', light: '#8a6d1f' },
  side: { above: '#c0272d', below: '#1d5fc4' },
  sideFill: { above: 'rgba(192, 39, 45, 0.2)', below: 'rgba(29, 95, 196, 0.2)' },
  sideSpan: { above: 'rgba(192, 39, 45, 0.06)', below: 'rgba(29, 95, 196, 0.06)' },
  mark: { warning: '#8f5200', critical: '#c0272d' },
}

const dark: Palette = {
  ink: '#e6e9ee',
  surface: '#1a2027',
  muted: '#a3adb8',
  grid: '#2b333d',
  band: 'rgba(79, 209, 192, 0.08)',
  line: { temperature: '#4fd1c0', humidity: '#b9aee0', battery: '#a3adb8', light: '#d9b95c' },
  side: { above: '#ff8d8d', below: '#86b6ff' },
  sideFill: { above: 'rgba(255, 141, 141, 0.26)', below: 'rgba(134, 182, 255, 0.26)' },
  sideSpan: { above: 'rgba(255, 141, 141, 0.08)', below: 'rgba(134, 182, 255, 0.08)' },
  mark: { warning: '#f2b34c', critical: '#ff8d8d' },
}

export const paletteOf = (scheme: 'light' | 'dark'): Palette => (scheme === 'dark' ? dark : light)
export const fontFamily = 'Inter, system-ui, sans-serif'
