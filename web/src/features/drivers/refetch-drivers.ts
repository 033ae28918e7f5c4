import { drivers } from '@isotherm/contract/drivers.ts'
import { vehicles } from '@isotherm/contract/vehicles.ts'
import { refetchCalls } from '../../lib/query.ts'

/** Asks again for all that shows drivers and who drives what. */
export const refetchDrivers = () => refetchCalls(drivers.list, drivers.one, vehicles.list)
