/** Where this browser keeps whether single letters are keys of the app: somebody who dictates may not want that. */
export const letterKeysKey = 'isotherm.letterKeys'

export const hasLetterKeys = (): boolean => localStorage.getItem(letterKeysKey) !== 'false'
