import { chambers } from '../chambers.ts'
import { type CountryFleet, chilled, doors, onTheRoad, room, roomTemperature } from './plan.ts'

const gridAndGenerator = { cutsPerDay: 0.5, meanMin: 110, backupAfterMin: 20 }

export const ghana: CountryFleet = {
  country: 'GH',
  timeZone: 'Africa/Accra',
  plans: [
    {
      name: 'Vaccine fridge, Korle Bu',
      tag: 'Accra',
      type: 'fridge',
      limits: chilled,
      link: 'mqtt',
      intervalS: 300,
      world: room(
        [5.5363, -0.227],
        0.5,
        [chambers.iceLinedFridge],
        { doors: doors.ward, power: gridAndGenerator },
        { doorAjarDays: 18 },
      ),
    },
    {
      ...onTheRoad,
      name: 'Van GT 5120-24',
      tag: 'Accra - Kumasi',
      limits: chilled,
      link: 'mqtt',
      world: {
        kind: 'van',
        road: 'accraKumasi',
        rhythm: 'alternate',
        departH: 6,
        pace: 0.9,
        chambers: [chambers.chilledVan],
        mishaps: { doorAjarDays: 14 },
      },
    },
    {
      name: 'Medicines store, Kumasi',
      tag: 'Kumasi',
      type: 'cold-room',
      limits: roomTemperature,
      link: 'http',
      intervalS: 600,
      world: room([6.696, -1.63], 0.95, [chambers.airConditionedStore], {
        doors: doors.warehouse,
        power: gridAndGenerator,
      }),
    },
    {
      name: 'Outreach cold box 3',
      tag: 'Upper East',
      type: 'cold-box',
      limits: chilled,
      link: 'mqtt',
      intervalS: 300,
      world: {
        kind: 'cold-box',
        road: 'tamaleBolgatanga',
        packDay: 3,
        packH: 6.5,
        outingDays: 3,
        batteryH: 62,
        chambers: [chambers.vaccineCarrier],
      },
    },
  ],
}
