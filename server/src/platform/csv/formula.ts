// A number, a temperature, or a phone number.
const looksNumeric = /^(?:[+-]?\d+(?:[.,]\d+)?(?:\s*°?\s*C)?|\+[\d ()./-]{6,})$/i

/** Whether a spreadsheet would take the text of a cell for a formula. */
export const looksLikeFormula = (cell: string): boolean => /^[=+\-@\t\r]/.test(cell) && !looksNumeric.test(cell)
