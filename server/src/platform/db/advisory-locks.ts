/**
 * The numbers of our advisory locks: no purpose has another's. Servers of two versions run side by side for a while: a number stays what it is.
 * The lanes of the pipeline have 4919 and 4920, each with the number of a lane (`lane-connections.ts`).
 */

/** Locks of the installation: one number names each. */
export const locksOfAll = {
  migrations: 4_919_001,
  partitions: 4_919_002,
  ports: 4_919_790,
} as const

/** Locks of a company: two numbers name each, one of these and the company. */
export const locksOfCompany = {
  /** The first of a hundred: each quota has its own. */
  quotas: 4_919_100,
  plan: 4_919_200,
  waitingReports: 4_919_210,
  rotas: 4_919_300,
  plates: 4_919_400,
  shipmentPlaces: 4_919_410,
  containers: 4_919_810,
} as const
