import type { NewGeofence, NewPointOfInterest } from '@isotherm/contract/places.ts'
import { addGeofence } from '../features/places/geofences.ts'
import { addPoint } from '../features/places/points.ts'
import type { Services } from '../platform/services.ts'
import { asAdmin } from './actor.ts'

const both = { in: true, out: true }
const out = { in: false, out: true }

/** True places of the fleet: the port its cold store stands in, the city its van leaves every day, Mombasa. */
const geofences: readonly NewGeofence[] = [
  {
    name: 'Apapa port',
    colour: 'orange',
    notify: both,
    area: {
      kind: 'polygon',
      points: [
        { lat: 6.4571, lon: 3.3604 },
        { lat: 6.4585, lon: 3.3826 },
        { lat: 6.4432, lon: 3.3905 },
        { lat: 6.4318, lon: 3.3842 },
        { lat: 6.4337, lon: 3.3587 },
        { lat: 6.4466, lon: 3.3532 },
      ],
    },
  },
  {
    name: 'Lagos city',
    colour: 'green',
    notify: out,
    area: { kind: 'circle', centre: { lat: 6.5355, lon: 3.3487 }, radiusM: 21_000 },
  },
  {
    name: 'Mombasa',
    colour: 'yellow',
    notify: both,
    area: { kind: 'circle', centre: { lat: -4.0547, lon: 39.6636 }, radiusM: 9_000 },
  },
]

const points: readonly NewPointOfInterest[] = [
  { name: 'Ikeja clinic', position: { lat: 6.6018, lon: 3.3515 }, radiusM: 250, notify: out },
  { name: 'Garki hospital', position: { lat: 9.0365, lon: 7.4898 }, radiusM: 300, notify: out },
  { name: 'Yaba pharmacy', position: { lat: 6.5095, lon: 3.3711 }, radiusM: 150, notify: both },
]

/** Gives a company that has no places those of the demo. */
export const ensurePlaces = (services: Services, companyId: number): Promise<void> =>
  asAdmin(services, companyId, async (ctx) => {
    const [fences, spots] = [
      await ctx.tx.selectFrom('geofences').select('id').where('company_id', '=', companyId).limit(1).execute(),
      await ctx.tx.selectFrom('points_of_interest').select('id').where('company_id', '=', companyId).limit(1).execute(),
    ]
    if (fences.length + spots.length > 0) return
    for (const fence of geofences) await addGeofence(ctx, fence)
    for (const point of points) await addPoint(ctx, point)
  })
