import { useMediaQuery } from '@mantine/hooks'

/** Narrow enough for one thing below the other, and for sheets. */
export const usePhone = (): boolean =>
  useMediaQuery('(max-width: 700px)', undefined, { getInitialValueInEffect: false }) ?? false

/** Narrow enough for cards instead of tables, and the bar at the bottom: a low window has no height for those. As in the shell's CSS. */
export const useNarrow = (): boolean =>
  useMediaQuery('(max-width: 599px), (max-width: 700px) and (min-height: 501px)', undefined, {
    getInitialValueInEffect: false,
  }) ?? false
