/** How far back what follows from readings is brought up to date by routine; what arrives from earlier is noted, ms. */
export const routineMs = 48 * 3_600_000
