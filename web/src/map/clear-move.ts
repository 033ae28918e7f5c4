/** Pixels within a map, from its top left corner. */
export interface Box {
  left: number
  top: number
  right: number
  bottom: number
}

/** The room that a panel leaves of a map: one nearly as wide as the map leaves what is above it, another what is at its left. */
export function clearOf(panel: Box | null, map: Box, free: Box): Box {
  if (!panel || panel.right <= panel.left || panel.bottom <= panel.top) return free
  const isSheet = panel.right - panel.left > 0.7 * (map.right - map.left)
  return isSheet
    ? { ...free, bottom: Math.min(free.bottom, panel.top) }
    : { ...free, right: Math.min(free.right, panel.left) }
}

/** How a map must move so that a shape is in a free room: not at all, by pixels, or, where it is larger than the room, by a fit. */
export function moveTo(shape: Box, free: Box): { x: number; y: number } | 'fit' | null {
  if (free.right <= free.left || free.bottom <= free.top) return null
  const isLarger =
    shape.right - shape.left > free.right - free.left || shape.bottom - shape.top > free.bottom - free.top
  if (isLarger) return 'fit'
  const by = (from: number, to: number, least: number, most: number) =>
    from < least ? from - least : to > most ? to - most : 0
  const x = by(shape.left, shape.right, free.left, free.right)
  const y = by(shape.top, shape.bottom, free.top, free.bottom)
  return x === 0 && y === 0 ? null : { x, y }
}
