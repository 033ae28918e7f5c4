import { useLocalStorage } from '@mantine/hooks'

/** Whether single letters are keys of the app: somebody who dictates may not want that. Kept in this browser. */
export const useLetterKeys = () => useLocalStorage({ key: 'isotherm.letterKeys', defaultValue: true })
