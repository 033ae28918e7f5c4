/** Intervals a person can choose, in seconds; a device may have another from elsewhere. */
export const intervalChoices = [180, 300, 600, 900, 1800, 3600, 7200, 14_400, 21_600, 43_200, 86_400]
