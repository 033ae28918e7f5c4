// A number, or a phone number.
const looksNumeric = /^(?:[+-]?\d+(?:[.,]\d+)?|\+[\d ()./-]{6,})$/

/** Whether a spreadsheet would take the text of a cell for a formula. */
export const looksLikeFormula = (cell: string): boolean => /^[=+\-@\t\r]/.test(cell) && !looksNumeric.test(cell)
