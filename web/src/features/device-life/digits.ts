/** Removes spaces and dashes of a typed or pasted number. */
export const digitsOf = (text: string): string => text.replace(/[\s.-]/g, '')
