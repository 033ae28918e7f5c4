import { useTranslation } from 'react-i18next'
import { named } from '../lib/named.ts'
import { formatTime } from '../lib/times.ts'
import { type Cursor, useCursor } from './cursor.ts'
import { saidAt } from './flags.ts'
import type { ChartPanel } from './model.ts'
import { pointedAt } from './nearest.ts'
import { sideOf } from './outside.ts'
import { valueText } from './value-text.ts'

/** Says the pointed values aloud while the keyboard moves the cursor. */
export function SpokenCursor({
  cursor,
  panels,
  zone,
}: {
  cursor: Cursor
  panels: readonly ChartPanel[]
  zone: string
}) {
  const { t } = useTranslation('charts')
  const at = useCursor(cursor)
  const values = at === null ? [] : panels.map((panel) => ({ panel, point: pointedAt(panel.points, at, 0) }))
  const words = values.flatMap(({ panel, point }) => {
    if (!point) return []
    const side = sideOf(point, panel.limits)
    return [
      `${panel.label} ${valueText(panel, point.avg)}${side ? ` (${t(`side.${side}`)})` : ''}`,
      ...saidAt(panel, point.at),
    ]
  })
  return (
    <div className="visually-hidden" aria-live="polite">
      {at !== null && words.length > 0 && named(formatTime(at, zone), words.join(', '))}
    </div>
  )
}
