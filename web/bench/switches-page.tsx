import type { Chart } from '@isotherm/contract/device-history.ts'
import { MantineProvider } from '@mantine/core'
import { createRoot, type Root } from 'react-dom/client'
import '../src/ui/styles-base.ts'
import type { ChartMark, ChartPanel, TimeWindow } from '../src/charts/model.ts'
import { TimeChart } from '../src/charts/time-chart.tsx'
import { compared } from '../src/features/devices/compared.ts'
import { loadTexts, startI18n } from '../src/lib/i18n.ts'
import { panelsOf } from '../src/shared/device-past/chart-panels.ts'
import { cssVariables, theme } from '../src/ui/theme.ts'
import type { Picture, Switches } from './picture.ts'

const dayMs = 86_400_000
/** The end of every period: nothing here moves on with the clock. */
const to = Date.UTC(2026, 10, 22, 12)
const restMs = 300
const words = { temperature: 'Temperature', humidity: 'Humidity', battery: 'Battery', light: 'Light' }
const iso = (at: number) => new Date(at).toISOString()
const noise = (index: number) => (Math.sin(index * 12.9898) * 43_758.5453) % 1

/** Makes the server's answer for a period: a fridge with an excursion a day, a silence, and limits that changed. */
function answerOf(from: number, until: number, newReadings: number, shift: number): Chart {
  const stepMs = Math.max(600_000, (until - from) / 400)
  // The last hour is empty until new readings come.
  const count = Math.floor((until - from - 3_600_000) / stepMs) + newReadings
  const atMs = Array.from({ length: count }, (_, index) => from + index * stepMs)
  const valuesOf = (value: (hour: number) => number) =>
    atMs.map((at, index) => (index % 97 === 96 ? null : Math.round(value(at / 3_600_000) * 100) / 100))
  const temperature = valuesOf((hour) => 5 + shift + Math.sin(hour / 3.8) * 3.4 + noise(hour))
  const humidity = valuesOf((hour) => 55 + Math.sin(hour / 6.5) * 20)
  const limits = { temperatureMinC: 2, humidityMinPct: null, humidityMaxPct: 70 }
  const middle = from + (until - from) / 2
  return {
    bucketS: 0,
    atMs,
    temperature: {
      min: temperature.map((c) => c && c - 0.4),
      avg: temperature,
      max: temperature.map((c) => c && c + 0.4),
    },
    humidity: { min: humidity, avg: humidity, max: humidity },
    batteryPct: atMs.map((_, index) => 100 - (index % 40)),
    lightLux: atMs.map((_, index) => (index % 50 < 5 ? 400 : 0)),
    limits: [
      { from: iso(from), to: iso(middle), temperatureMaxC: 8, ...limits },
      { from: iso(middle), to: iso(until), temperatureMaxC: 7, ...limits },
    ],
    excursions: Array.from({ length: Math.round((until - from) / dayMs) }, (_, day) => ({
      id: String(day + 1),
      measure: 'temperature' as const,
      side: 'above' as const,
      startAt: iso(from + day * dayMs + 4 * 3_600_000),
      endAt: iso(from + day * dayMs + 6 * 3_600_000),
      peak: 9.1,
      cause: null,
      note: null,
      peakAt: iso(from + day * dayMs + 5 * 3_600_000),
    })),
    gaps: [],
  }
}

function panelsFor({ measures, days, isCompared, others, newReadings }: Picture): ChartPanel[] {
  const lengthMs = days * dayMs
  const shown = {
    temperature: measures.includes('temperature'),
    humidity: measures.includes('humidity'),
    battery: measures.includes('battery'),
    light: measures.includes('light'),
  }
  const panels = panelsOf(answerOf(to - lengthMs, to, newReadings, 0), words, shown)
  const before = panelsOf(answerOf(to - 2 * lengthMs, to - lengthMs, 0, 1), words, shown)
  const [first, ...more] = isCompared ? compared(panels, before, lengthMs) : panels
  if (!first || others === 0) return first ? [first, ...more] : []
  const lines = Array.from({ length: others }, (_, index) => ({
    name: `Fridge ${index + 1}`,
    ...(index === 1 && { colour: '#0b6e66' }),
    points: first.points.map((point) => ({ ...point, avg: point.avg + index + 1 })),
  }))
  return [{ ...first, others: lines }, ...more]
}

const marksFor = ({ marks, days }: Picture): ChartMark[] =>
  Array.from({ length: marks }, (_, index) => ({
    at: to - (days * dayMs * (index + 1)) / (marks + 1),
    tone: index % 2 === 0 ? ('critical' as const) : ('warning' as const),
    label: `Alarm ${index + 1}`,
  }))

interface ChartProps {
  picture: Picture
  /** The whole of the chart; the period where left out. */
  whole?: TimeWindow | undefined
  onZoom?: (window: TimeWindow | null) => void
}

/** The chart as the screens use it: another period is another chart, everything else is a switch. */
function Shown({ picture, whole, onZoom }: ChartProps) {
  const { from, to: until } = whole ?? { from: to - picture.days * dayMs, to }
  return (
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} forceColorScheme={picture.scheme}>
      <div style={{ width: picture.width }}>
        <TimeChart
          key={picture.days}
          panels={panelsFor(picture)}
          marks={marksFor(picture)}
          layout={picture.layout}
          from={from}
          to={until}
          zone="UTC"
          height={picture.height}
          {...(onZoom && { onZoom })}
        />
      </div>
    </MantineProvider>
  )
}

const hostOf = (id: string): HTMLElement => {
  const found = document.getElementById(id)
  if (!found) throw new Error(`switches.html has no #${id}`)
  return found
}
const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
/** React has rendered, the width is measured, and what follows from that is drawn. */
const painted = async () => {
  for (let count = 0; count < 4; count++) await frame()
}

await startI18n(['common'])
await loadTexts(['charts'])
await document.fonts.ready

let root: Root | undefined
let shown: Picture | undefined
let part: TimeWindow | null = null

function pixelsOf(id: string): ImageData {
  const canvas = hostOf(id).querySelector('canvas')
  const pen = canvas?.getContext('2d')
  if (!canvas || !pen) throw new Error(`#${id} shows no chart`)
  return pen.getImageData(0, 0, canvas.width, canvas.height)
}

function differing(one: ImageData, other: ImageData): number {
  if (one.width !== other.width || one.height !== other.height) return Number.POSITIVE_INFINITY
  const [a, b] = [new Uint32Array(one.data.buffer), new Uint32Array(other.data.buffer)]
  let count = 0
  for (let index = 0; index < a.length; index++) if (a[index] !== b[index]) count++
  return count
}

const switches: Switches = {
  begin() {
    root?.unmount()
    part = null
    root = createRoot(hostOf('used'))
  },
  async show(picture) {
    shown = picture
    root?.render(<Shown picture={picture} onZoom={(window) => (part = window)} />)
    await painted()
  },
  box() {
    const { x, y, width, height } = hostOf('used').querySelector('section')?.getBoundingClientRect() ?? new DOMRect()
    return { x, y, width, height }
  },
  async compare() {
    if (!shown) throw new Error('nothing was shown')
    await new Promise((resolve) => setTimeout(resolve, restMs))
    const fresh = createRoot(hostOf('fresh'))
    // The drawing depends on the window alone: a chart whose whole period is that window needs no zooming.
    fresh.render(<Shown picture={shown} whole={part ?? undefined} />)
    await painted()
    const count = differing(pixelsOf('used'), pixelsOf('fresh'))
    fresh.unmount()
    return count
  },
}
Object.assign(window, { switches })
