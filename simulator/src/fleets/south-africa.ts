import { chambers } from '../chambers.ts'
import { type CountryFleet, chilled, doors, frozen, inFruit, onTheRoad, room } from './plan.ts'

const loadShedding = { cutsPerDay: 0.7, meanMin: 120 }

export const southAfrica: CountryFleet = {
  country: 'ZA',
  timeZone: 'Africa/Johannesburg',
  plans: [
    {
      ...onTheRoad,
      name: 'Truck FZR 883 GP',
      tag: 'Johannesburg - Durban',
      limits: frozen,
      link: 'mqtt',
      world: {
        kind: 'van',
        road: 'johannesburgDurban',
        rhythm: 'alternate',
        departH: 5,
        pace: 0.88,
        chambers: [chambers.frozenTruck],
        mishaps: { compressorDays: 26 },
      },
    },
    {
      ...onTheRoad,
      name: 'Van CA 611-902',
      tag: 'Cape Town - Paarl',
      limits: chilled,
      link: 'http',
      world: {
        kind: 'van',
        road: 'capeTownPaarl',
        rhythm: 'return',
        departH: 7.2,
        pace: 1,
        chambers: [chambers.chilledVan],
        mishaps: {},
      },
    },
    {
      name: 'Reefer ISOU 482913 3',
      tag: 'Durban - Tema - Apapa',
      type: 'container',
      limits: chilled,
      link: 'mqtt',
      intervalS: 600,
      licenceMonths: 24,
      world: { kind: 'container', chambers: [chambers.reeferContainer] },
    },
    {
      name: 'Vaccine fridge, Khayelitsha clinic',
      tag: 'Cape Town',
      type: 'fridge',
      limits: chilled,
      link: 'mqtt',
      intervalS: 300,
      world: room([-34.0389, 18.6783], 0.6, [chambers.iceLinedFridge], { doors: doors.ward, power: loadShedding }),
    },
    {
      name: 'Cold room, Maydon Wharf',
      tag: 'Durban port',
      type: 'cold-room',
      limits: chilled,
      link: 'http',
      intervalS: 300,
      world: room(
        [-29.8766, 31.006],
        0.9,
        [chambers.coldRoom],
        { doors: doors.warehouse, power: loadShedding },
        { compressorDays: 16 },
      ),
    },
    {
      // It stands plugged in at the terminal, with fruit that is treated by cold: return air, and three probes in fruit.
      name: 'Citrus MSKU 907032 3',
      tag: 'Cape Town terminal',
      type: 'container',
      limits: inFruit,
      link: 'mqtt',
      intervalS: 600,
      probes: [
        { probe: 1, name: 'Citrus MSKU 907032 3, return air', limits: inFruit },
        { probe: 2, name: 'Citrus MSKU 907032 3, probe 1', limits: inFruit },
        { probe: 3, name: 'Citrus MSKU 907032 3, probe 2', limits: inFruit },
        { probe: 4, name: 'Citrus MSKU 907032 3, probe 3', limits: inFruit },
      ],
      world: room(
        [-33.9069, 18.4347],
        1,
        [chambers.citrusContainer, chambers.citrusPulp, chambers.citrusPulp, chambers.citrusPulp],
        { doors: doors.shut, power: { cutsPerDay: 0.05, meanMin: 12 } },
      ),
    },
  ],
}
