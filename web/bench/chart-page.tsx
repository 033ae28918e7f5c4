import type { Chart } from '@isotherm/contract/device-history.ts'
import { MantineProvider } from '@mantine/core'
import { useLayoutEffect } from 'react'
import { createRoot } from 'react-dom/client'
import '../src/ui/styles-base.ts'
import { TimeChart, type TimeChartProps } from '../src/charts/time-chart.tsx'
import { loadTexts, startI18n } from '../src/lib/i18n.ts'
import { panelsOf } from '../src/shared/device-past/chart-panels.ts'
import { cssVariables, theme } from '../src/ui/theme.ts'
import { drawBareLines } from './bare-line.ts'
import type { Draw, Drawing, Drawn } from './draws.ts'

const heightPx = 420
const words = { temperature: 'Temperature', humidity: 'Humidity', battery: 'Battery', light: 'Light' }
const element = document.getElementById('root')
if (!element) throw new Error('index.html has no #root')
await startI18n(['common'])
await loadTexts(['charts'])

const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))

async function measured(draw: () => Promise<void> | void): Promise<Drawn> {
  const start = performance.now()
  await draw()
  const workedMs = performance.now() - start
  await frame()
  await frame()
  return { workedMs, shownMs: performance.now() - start }
}

/** Its layout effect runs after the chart's, which has drawn by then. */
function Page({ onDrawn, ...chart }: TimeChartProps & { onDrawn: () => void }) {
  useLayoutEffect(onDrawn, [onDrawn])
  return (
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables}>
      <TimeChart {...chart} />
    </MantineProvider>
  )
}

/** As the device's page does it: the answer becomes panels, which the chart draws. */
const drawOurs = (text: string) =>
  new Promise<void>((resolve) => {
    const chart = JSON.parse(text) as Chart
    const panels = panelsOf(chart, words, { battery: false, light: false })
    const { from = '', to = '' } = chart.limits[0] ?? {}
    createRoot(element).render(
      <Page
        panels={panels}
        layout="stacked"
        from={Date.parse(from)}
        to={Date.parse(to)}
        zone="UTC"
        height={heightPx}
        onDrawn={resolve}
      />,
    )
  })

const draws: Record<Drawing, Draw> = {
  ours: (text) => measured(() => drawOurs(text)),
  bare: (text) => measured(() => drawBareLines(element, JSON.parse(text) as Chart, heightPx)),
}

Object.assign(window, { draws })
