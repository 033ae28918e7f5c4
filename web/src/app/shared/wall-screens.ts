import type { Shared, SharedDevice, SharedPage } from '@isotherm/contract/share-links.ts'

/** The room for tiles, CSS pixels. */
export interface Room {
  width: number
  height: number
}

export interface Grid {
  columns: number
  rows: number
}

// A smaller tile cannot be read from 5 m on a usual television.
const tile = { width: 290, height: 190 }
/** Width by height that suits a name, a large number and a line below. */
const ratio = 1.5

/** The most tiles that can be read in a room. */
export const largestGrid = ({ width, height }: Room): Grid => ({
  columns: Math.max(1, Math.floor(width / tile.width)),
  rows: Math.max(1, Math.floor(height / tile.height)),
})

/** The grid in which so many tiles are largest. */
export function gridFor(count: number, room: Room): Grid {
  const most = largestGrid(room)
  let best: Grid = most
  let largest = 0
  for (let columns = 1; columns <= most.columns; columns++) {
    const rows = Math.ceil(count / columns)
    if (rows > most.rows) continue
    const size = Math.min(room.width / columns, (room.height / rows) * ratio)
    if (size > largest) [largest, best] = [size, { columns, rows }]
  }
  return best
}

/** One picture of the rotation. */
export interface Screen {
  page: SharedPage
  devices: SharedDevice[]
}

/** All screens of the rotation: each page as many as its tiles need; a page without devices one. */
export function screensOf({ pages }: Shared, room: Room): Screen[] {
  const { columns, rows } = largestGrid(room)
  const most = columns * rows
  return pages.flatMap((page) => {
    const parts = Math.max(1, Math.ceil(page.devices.length / most))
    return Array.from({ length: parts }, (_, i) => ({ page, devices: page.devices.slice(i * most, (i + 1) * most) }))
  })
}

/** Seconds that a screen stays: as its address asks for it, 5 to 600; or else as the wall was made, or 20. */
export function everySeconds(given: string | null, turnS: number | null): number {
  const seconds = Number(given)
  return given !== null && Number.isFinite(seconds) && seconds > 0 ? Math.min(600, Math.max(5, seconds)) : (turnS ?? 20)
}
