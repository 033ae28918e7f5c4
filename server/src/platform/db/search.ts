/** The pattern of `ilike` that finds `text` anywhere; its %, _ and \ mean themselves. */
export const containing = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`
