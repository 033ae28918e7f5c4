/**
 * How often a job that mails is tried again: at least for a day, as mail servers do. Its pauses grow from 5 s to an hour (`jobs.ts`): the first ten
 * together are longer than 80 minutes, the others an hour each.
 */
export const mailRetries = 33

/** Minutes until a message is tried again, after each try; the first five pauses make an hour. */
export const firstWaits = [0.2, 1, 5, 15, 40] as const
/** The same for messages that are worth something a day later. */
export const waitsOfADay = [...firstWaits, ...Array.from({ length: 23 }, () => 60)]
