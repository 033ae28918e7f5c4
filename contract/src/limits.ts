/** Figures that browser and server must agree on. */
export const limits = {
  toastMs: 5_000,
  walletMessageMs: 7_000,
  screenLoadMs: 120_000,
  descriptionWords: 150,
  minIntervalS: 180,
  maxIntervalS: 86_400,
  maxPerPage: 200,
  passwordMin: 10,
  passwordMax: 200,
  /** A period asked of history may not be longer. */
  maxPeriodDays: 800,
  /** A device's readings go on being shown for this long after its licence ended, then are hidden until it is renewed. */
  hiddenAfterLicenceDays: 30,
  licenceEndsSoonDays: 30,
} as const
