import { chambers } from '../chambers.ts'
import { type CountryFleet, chilled, doors, onTheRoad, room } from './plan.ts'

const highlandGrid = { cutsPerDay: 0.15, meanMin: 25 }
const coastGrid = { cutsPerDay: 0.4, meanMin: 50 }

export const kenya: CountryFleet = {
  country: 'KE',
  timeZone: 'Africa/Nairobi',
  plans: [
    {
      name: 'Central vaccine store, Nairobi',
      tag: 'Nairobi',
      type: 'cold-room',
      limits: chilled,
      link: 'mqtt',
      intervalS: 300,
      licenceMonths: 24,
      world: room([-1.3005, 36.827], 0.8, [chambers.coldRoom], { doors: doors.warehouse, power: highlandGrid }),
    },
    {
      ...onTheRoad,
      name: 'Truck KDG 214T',
      tag: 'Nairobi - Mombasa',
      limits: chilled,
      link: 'mqtt',
      world: {
        kind: 'van',
        road: 'nairobiMombasa',
        rhythm: 'alternate',
        departH: 5.4,
        pace: 0.86,
        chambers: [chambers.chilledVan],
        mishaps: { compressorDays: 19 },
      },
    },
    {
      name: 'Pharmacy fridge, Nyali',
      tag: 'Mombasa',
      type: 'fridge',
      limits: chilled,
      link: 'http',
      intervalS: 300,
      world: room(
        [-4.034, 39.701],
        0.65,
        [chambers.pharmacyFridge],
        { doors: doors.counter, power: coastGrid },
        { thermostatDays: 15 },
      ),
    },
    {
      name: 'Outreach cold box 7',
      tag: 'Turkana',
      type: 'cold-box',
      limits: chilled,
      link: 'http',
      intervalS: 300,
      // Charged on Monday, dead on Wednesday; the box in Ghana is dead from Friday to Wednesday: one of them is always silent.
      world: {
        kind: 'cold-box',
        road: 'lodwarKakuma',
        packDay: 1,
        packH: 7,
        outingDays: 2,
        batteryH: 46,
        chambers: [chambers.vaccineCarrier],
      },
    },
    {
      name: 'Sample box NBO-JNB',
      tag: 'Air freight',
      type: 'parcel',
      limits: chilled,
      link: 'mqtt',
      intervalS: 600,
      movingIntervalS: 300,
      visibility: 'private',
      world: { kind: 'parcel', chambers: [chambers.gelPackParcel] },
    },
  ],
}
