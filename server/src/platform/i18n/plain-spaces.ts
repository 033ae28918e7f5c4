/** A text for programs and phones rather than for a screen: its spaces may break, as those of a keyboard do. */
export const plainSpaces = (text: string): string => text.replace(/[\u00a0\u2009\u202f]/g, ' ')
