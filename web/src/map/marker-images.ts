import type { MarkerState } from './marker-data.ts'
import { type MapTheme, palettes } from './palette.ts'

const PIXEL_RATIO = 3
/** Width and height in CSS pixels, room for the outline included. */
const MARKER_PX = 26
const PLACE_PX = 7
const ARROW_PX = 11

type Drawn = { image: ImageData; pixelRatio: number }
type Brush = CanvasRenderingContext2D

export const arrowImage = (theme: MapTheme) => `arrow-${theme}`
export const placeImage = (kind: 'city' | 'capital', theme: MapTheme) => `place-${kind}-${theme}`

/** Draws the pictures named above, and `marker-<state>-<theme>`; undefined for any other name. */
export function drawImage(name: string): Drawn | undefined {
  const [kind = '', detail = '', third] = name.split('-')
  const theme: MapTheme = (third ?? detail) === 'dark' ? 'dark' : 'light'
  if (kind === 'marker') return draw(MARKER_PX, (brush) => drawMarker(brush, detail as MarkerState, theme))
  if (kind === 'place') return draw(PLACE_PX, (brush) => drawPlace(brush, detail === 'capital', theme))
  if (kind === 'arrow') return draw(ARROW_PX, (brush) => drawArrow(brush, theme))
  return undefined
}

function draw(sizePx: number, paint: (brush: Brush) => void): Drawn | undefined {
  const canvas = document.createElement('canvas')
  canvas.width = canvas.height = sizePx * PIXEL_RATIO
  const brush = canvas.getContext('2d')
  if (!brush) return undefined
  brush.scale(PIXEL_RATIO, PIXEL_RATIO)
  brush.lineJoin = brush.lineCap = 'round'
  paint(brush)
  return { image: brush.getImageData(0, 0, canvas.width, canvas.height), pixelRatio: PIXEL_RATIO }
}

/** Outlines in a 26 px square; each state has its own, so that colour is not the only signal. */
const OUTLINES: Record<MarkerState, string> = {
  ok: 'M13 4.5a8.5 8.5 0 1 0 0 17a8.5 8.5 0 1 0 0-17z',
  none: 'M13 4.5a8.5 8.5 0 1 0 0 17a8.5 8.5 0 1 0 0-17z',
  warning: 'M13 3.8L22.4 20.4H3.6z',
  warm: 'M13 3L23 13L13 23L3 13z',
  cold: 'M5 5H21V21H5z',
}

/** The sign inside: a tick, a dash, an exclamation mark, an arrow up, an arrow down. */
const SIGNS: Record<MarkerState, string> = {
  ok: 'M9.6 13.2L12.1 15.6L16.4 10.8',
  none: 'M9.8 13H16.2',
  warning: 'M13 9.6V14.1M13 17.2V17.3',
  warm: 'M13 17V9.2M9.8 12.2L13 9L16.2 12.2',
  cold: 'M13 9V16.8M9.8 13.8L13 17L16.2 13.8',
}

function drawMarker(brush: Brush, state: MarkerState, theme: MapTheme): void {
  const { states, surface } = palettes[theme]
  const outline = new Path2D(OUTLINES[state])
  const hollow = state === 'none'
  brush.shadowColor = 'rgba(10, 16, 22, 0.35)'
  brush.shadowBlur = 2.5 * PIXEL_RATIO
  brush.shadowOffsetY = 0.8 * PIXEL_RATIO
  brush.strokeStyle = surface
  brush.lineWidth = 4
  brush.stroke(outline)
  brush.shadowColor = 'transparent'
  brush.fillStyle = hollow ? surface : states[state]
  brush.fill(outline)
  brush.lineWidth = 1.6
  if (hollow || state === 'warning') {
    brush.strokeStyle = states[state]
    brush.stroke(outline)
  }
  brush.strokeStyle = hollow ? states[state] : signColour(state, theme)
  brush.lineWidth = 2
  brush.stroke(new Path2D(SIGNS[state]))
}

/** Amber, and every state's lighter tone in the dark, carry dark signs: white would not be legible on them. */
function signColour(state: MarkerState, theme: MapTheme): string {
  return theme === 'dark' || state === 'warning' ? '#12171d' : '#ffffff'
}

function drawPlace(brush: Brush, capital: boolean, theme: MapTheme): void {
  const { cityDot, halo } = palettes[theme]
  brush.fillStyle = capital ? halo : cityDot
  brush.strokeStyle = capital ? cityDot : halo
  brush.lineWidth = capital ? 1.4 : 0.8
  const dot = new Path2D()
  dot.arc(PLACE_PX / 2, PLACE_PX / 2, capital ? 2.4 : 2, 0, 2 * Math.PI)
  brush.fill(dot)
  brush.stroke(dot)
}

/** Points to the right, the way a line runs. */
function drawArrow(brush: Brush, theme: MapTheme): void {
  const { surface, path } = palettes[theme]
  const arrow = new Path2D('M3.6 2.4L7.4 5.5L3.6 8.6')
  brush.strokeStyle = surface
  brush.lineWidth = 4
  brush.stroke(arrow)
  brush.strokeStyle = path
  brush.lineWidth = 1.9
  brush.stroke(arrow)
}
