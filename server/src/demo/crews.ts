import { NewContact } from '@isotherm/contract/contacts.ts'
import { NewDriver } from '@isotherm/contract/drivers.ts'
import { NewPartner } from '@isotherm/contract/partners.ts'
import { NewVehicle, type VehicleType } from '@isotherm/contract/vehicles.ts'
import { addContact } from '../features/contacts/verbs.ts'
import { assignVehicle } from '../features/drivers/assign-vehicle.ts'
import { addDriver, setDriverStatus } from '../features/drivers/verbs.ts'
import { addPartner } from '../features/partners/verbs.ts'
import { addVehicle } from '../features/vehicles/verbs.ts'
import type { Context } from '../platform/context.ts'

/** A driver with a vehicle; `tracker` is the name of the device that is fixed in it. */
interface Crew {
  driver: { name: string; phone: string; licenceDays: number }
  vehicle: { name: string; plate: string; type: VehicleType; tracker?: string }
}

const crews: readonly Crew[] = [
  {
    driver: { name: 'Musa Bello', phone: '+234 803 123 4567', licenceDays: 400 },
    vehicle: { name: 'Ibadan van', plate: 'LND-482 XA', type: 'truck', tracker: 'Van LND-482 XA' },
  },
  {
    driver: { name: 'Kwesi Owusu', phone: '+233 24 412 3456', licenceDays: 700 },
    vehicle: { name: 'Kumasi van', plate: 'GT 5120-24', type: 'truck', tracker: 'Van GT 5120-24' },
  },
  {
    driver: { name: 'Wanjiku Kamau', phone: '+254 712 345 678', licenceDays: 34 },
    vehicle: { name: 'Mombasa truck', plate: 'KDG 214T', type: 'truck', tracker: 'Truck KDG 214T' },
  },
  {
    driver: { name: 'Thabo Nkosi', phone: '+27 82 123 4567', licenceDays: 900 },
    vehicle: { name: 'Paarl van', plate: 'CA 611-902', type: 'car', tracker: 'Van CA 611-902' },
  },
  {
    driver: { name: 'Ngozi Eze', phone: '+234 805 765 4321', licenceDays: 250 },
    vehicle: { name: 'City bike', plate: 'KJA 77 QB', type: 'motorcycle' },
  },
]

const contacts: readonly NewContact[] = [
  { name: 'Adaobi Nwosu', company: 'Ikeja clinic', address: 'Ikeja, Lagos', position: { lat: 6.6018, lon: 3.3515 } },
  {
    name: 'Tunde Alabi',
    company: 'University hospital',
    address: 'Mokola, Ibadan',
    position: { lat: 7.401, lon: 3.9053 },
  },
  { name: 'Ama Serwaa', company: 'Medicines store', address: 'Adum, Kumasi', position: { lat: 6.6885, lon: -1.6244 } },
  {
    name: 'Hassan Omar',
    company: 'Nyali pharmacy',
    address: 'Nyali, Mombasa',
    position: { lat: -4.0547, lon: 39.6636 },
  },
].map((one, index) => NewContact.parse({ ...one, phone: `+234 803 555 010${index}` }))

const partner = NewPartner.parse({
  ...{ companyName: 'Harmattan Freight', companyAddress: '3 Creek Street, Apapa', fullName: 'Bisi Adeyemi' },
  ...{ email: 'bisi@harmattan.test', phone: '+234 809 222 3344', stateProvince: 'Lagos', lga: 'Apapa', country: 'NG' },
})

/** A driver and a vehicle by id, with the device that is fixed in the vehicle. */
export interface MadeCrew {
  driverId: string
  vehicleId: string
  deviceId: string | null
}

/** Adds drivers with their vehicles, contacts and a partner; returns the crews by plate. */
export async function addCrews(ctx: Context): Promise<Map<string, MadeCrew>> {
  const devices = await ctx.tx
    .selectFrom('devices')
    .select(['id', 'name'])
    .where('company_id', '=', ctx.companyId)
    .execute()
  const made = new Map<string, MadeCrew>()
  for (const { driver, vehicle } of crews) {
    const tracker = devices.find(({ name }) => name === vehicle.tracker)
    const deviceId = tracker ? String(tracker.id) : null
    const { name, plate, type } = vehicle
    const { id: vehicleId } = await addVehicle(ctx, NewVehicle.parse({ name, plate, type, deviceId }))
    const { id: driverId } = await addDriver(ctx, driverOf(ctx, driver))
    await assignVehicle(ctx, driverId, { vehicleId, change: false })
    made.set(plate, { driverId, vehicleId, deviceId })
  }
  const resting = await addDriver(
    ctx,
    driverOf(ctx, { name: 'Femi Ade', phone: '+234 802 999 8877', licenceDays: -30 }),
  )
  await setDriverStatus(ctx, resting.id, 'inactive')
  for (const contact of contacts) await addContact(ctx, contact)
  await addPartner(ctx, partner)
  return made
}

const driverOf = ({ clock }: Context, { name, phone, licenceDays }: Crew['driver']) =>
  NewDriver.parse({
    ...{ name, phone },
    licenceExpiresOn: new Date(clock.now().getTime() + licenceDays * 86_400_000).toISOString().slice(0, 10),
  })
