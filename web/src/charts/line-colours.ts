import { useComputedColorScheme } from '@mantine/core'
import { useMemo } from 'react'

// Colours that tell lines of devices apart; none is one of the states'. Checked against both backgrounds.
const lineColours = {
  light: ['#0b6e66', '#7a3fa8', '#96590a', '#35679c', '#a2367c', '#4d7023', '#5b5aa6', '#7d4b32', '#00758c', '#525c68'],
  dark: ['#4fd1c0', '#c9a2f0', '#e8ae5a', '#8fbde8', '#f09ccb', '#aed47a', '#b3b1f2', '#d9ab90', '#63d0e6', '#b6bfc9'],
}

/** More lines than these cannot be told apart. */
export const maxColours = lineColours.light.length

/** A colour for each of these, in their order; none beyond the most. Keep the list the same while it is. */
export function useLineColours(ids: readonly string[]): ReadonlyMap<string, string> {
  const colours = lineColours[useComputedColorScheme('light')]
  return useMemo(
    () =>
      new Map(
        ids.flatMap((id, index) => {
          const colour = colours[index]
          return colour ? [[id, colour] as const] : []
        }),
      ),
    [ids, colours],
  )
}
