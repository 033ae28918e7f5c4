import type { Call } from '@isotherm/contract/call.ts'
import { readingPool } from '../db/transaction.ts'
import type { Services } from '../services.ts'

/** Whether the database refuses a call to write: it only reads, and its row does not say why it writes all the same. */
export const isReading = ({ method, readOnly, writes }: Call): boolean =>
  (method === 'GET' || readOnly === true) && writes === undefined

/** The services for a handler: one that only reads cannot write in transactions of its own either. */
export const servicesOf = (services: Services, call: Call): Services =>
  isReading(call) ? { ...services, pool: readingPool(services.pool), lowPool: readingPool(services.lowPool) } : services
