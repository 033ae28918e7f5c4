import { plateKey } from '@isotherm/contract/vehicles.ts'
import { openPair } from '../src/core/drivers/pair-queries.ts'
import { type ContactValues, insertContact } from '../src/features/contacts/queries.ts'
import { insertDriver, type NewDriverValues } from '../src/features/drivers/queries.ts'
import { insertPartner } from '../src/features/partners/queries.ts'
import { insertVehicle, type NewVehicleValues } from '../src/features/vehicles/queries.ts'
import { inCompany, type Stage } from './factories.ts'

const phone = { phone: '+2348031234567', phone_typed: '0803 123 4567' }
let count = 0

type Company = { companyId: number }

export const aContact = (test: Stage, { companyId }: Company, more: ContactValues = {}) =>
  inCompany(test, companyId, (ctx) => insertContact(ctx, { name: 'Ada Obi', address: 'Apapa', ...phone, ...more }))

export const aPartner = (test: Stage, { companyId }: Company) =>
  inCompany(test, companyId, (ctx) =>
    insertPartner(ctx, {
      ...{ company_name: 'Cold Movers', company_address: 'Apapa', full_name: 'Ada Obi' },
      ...{ email: 'ada@example.test', country: 'NG', ...phone },
    }),
  )

/** An active driver without a vehicle, where nothing else is said. */
export const aDriver = async (test: Stage, { companyId }: Company, more: Partial<NewDriverValues> = {}) => ({
  id: await inCompany(test, companyId, (ctx) => insertDriver(ctx, { name: 'Musa Bello', ...phone, ...more })),
})

/** A truck with a plate of its own. */
export async function aVehicle(test: Stage, { companyId }: Company, more: Partial<NewVehicleValues> = {}) {
  count += 1
  const { plate = `LAG ${count} XY` } = more
  const row = { name: `Van ${count}`, type: 'truck', ...more, plate, plate_key: plateKey(plate) }
  return { id: await inCompany(test, companyId, (ctx) => insertVehicle(ctx, row)), name: row.name, plate }
}

/** Pairs a driver with a vehicle, as assigning does. */
export const aPair = (test: Stage, { companyId }: Company, driverId: string, vehicleId: string) =>
  inCompany(test, companyId, (ctx) => openPair(ctx, driverId, vehicleId))
