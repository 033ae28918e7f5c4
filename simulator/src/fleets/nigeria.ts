import { chambers } from '../chambers.ts'
import { type CountryFleet, chilled, doors, frozen, onTheRoad, room } from './plan.ts'

const gridAndGenerator = { cutsPerDay: 2.6, meanMin: 95, backupAfterMin: 12 }
const gridAlone = { cutsPerDay: 0.7, meanMin: 70 }

export const nigeria: CountryFleet = {
  country: 'NG',
  timeZone: 'Africa/Lagos',
  plans: [
    {
      name: 'Vaccine fridge, Ikeja clinic',
      tag: 'Lagos',
      type: 'fridge',
      limits: chilled,
      link: 'mqtt',
      intervalS: 300,
      world: room([6.6018, 3.3515], 0.5, [chambers.iceLinedFridge], { doors: doors.ward, power: gridAndGenerator }),
    },
    {
      name: 'Insulin fridge, Yaba pharmacy',
      tag: 'Lagos',
      type: 'fridge',
      limits: chilled,
      link: 'http',
      intervalS: 300,
      world: room(
        [6.5095, 3.3711],
        0.7,
        [chambers.pharmacyFridge],
        { doors: doors.counter, power: gridAlone },
        { doorAjarDays: 11 },
      ),
    },
    {
      name: 'Apapa cold store, chill room',
      tag: 'Lagos port',
      type: 'cold-room',
      limits: chilled,
      link: 'mqtt',
      intervalS: 300,
      probes: [
        { probe: 1, name: 'Apapa cold store, chill room', limits: chilled },
        { probe: 2, name: 'Apapa cold store, freezer room', limits: frozen },
      ],
      world: room(
        [6.4412, 3.3672],
        0.85,
        [chambers.coldRoom, chambers.freezerRoom],
        { doors: doors.warehouse, power: gridAndGenerator },
        { doorAjarDays: 13 },
      ),
    },
    {
      ...onTheRoad,
      name: 'Van LND-482 XA',
      tag: 'Lagos - Ibadan',
      limits: chilled,
      link: 'mqtt',
      world: {
        kind: 'van',
        road: 'lagosIbadan',
        rhythm: 'return',
        departH: 6.6,
        pace: 0.95,
        chambers: [chambers.chilledVan],
        mishaps: { doorAjarDays: 17 },
      },
    },
    {
      name: 'Plasma freezer, Garki hospital',
      tag: 'Abuja',
      type: 'freezer',
      limits: frozen,
      link: 'mqtt',
      intervalS: 600,
      visibility: 'private',
      world: room(
        [9.0365, 7.4898],
        0.5,
        [chambers.chestFreezer],
        { doors: doors.archive, power: gridAndGenerator },
        { compressorDays: 24 },
      ),
    },
  ],
}
