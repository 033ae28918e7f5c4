import { useMediaQuery } from '@mantine/hooks'

/** Narrow enough for cards instead of tables, and the bar at the bottom. */
export const usePhone = (): boolean =>
  useMediaQuery('(max-width: 700px)', undefined, { getInitialValueInEffect: false }) ?? false
