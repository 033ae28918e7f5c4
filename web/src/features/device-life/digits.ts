/** What remains of a number typed or pasted with spaces and dashes. */
export const digitsOf = (text: string): string => text.replace(/[\s.-]/g, '')
