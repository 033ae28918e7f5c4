/**
 * A text as `lower()` of the database has it: sign by sign. JavaScript makes two signs of İ, and another one of Σ at the end of a word;
 * by that a name would not be found, or be told to be free, that the index knows.
 */
export const lowerCase = (text: string): string => text.replaceAll('İ', 'i').replaceAll('Σ', 'σ').toLowerCase()
