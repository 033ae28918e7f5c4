import { chambers, chilled, frozen, roomTemperature } from './chambers.ts';
import { hashKey } from './random.ts';
import type { ChamberSpec, Country, DoorHabit, Limits, Mishaps, PowerHabit, ProbeSpec, TrackerSpec, TrackerType } from './spec.ts';

const zones: Record<Country, string> = { NG: 'Africa/Lagos', KE: 'Africa/Nairobi', GH: 'Africa/Accra', ZA: 'Africa/Johannesburg' };

type Common = {
  name: string;
  tag: string;
  country: Country;
  type: TrackerType;
  limits: Limits;
  link: 'mqtt' | 'http';
  intervalS: number;
  visibility?: 'private' | 'public';
  licenceMonths?: number;
  movingIntervalS?: number;
};
type Plan = Common & { probes?: readonly ProbeSpec[]; world: TrackerSpec['world'] };

const counter: DoorHabit = { fromH: 8, toH: 20, perDay: 24, meanS: 18, sundayShare: 0.3, lux: 260 };
const ward: DoorHabit = { fromH: 7, toH: 19, perDay: 15, meanS: 25, sundayShare: 0.5, lux: 220 };
const warehouse: DoorHabit = { fromH: 6, toH: 18, perDay: 18, meanS: 60, sundayShare: 0.1, lux: 160 };
const archive: DoorHabit = { fromH: 9, toH: 16, perDay: 6, meanS: 30, sundayShare: 0, lux: 240 };

const steadyGrid: PowerHabit = { cutsPerDay: 0.15, meanMin: 25 };
const loadShedding: PowerHabit = { cutsPerDay: 0.7, meanMin: 120 };
const lagosGrid: PowerHabit = { cutsPerDay: 2.6, meanMin: 95, backupAfterMin: 12 };
const lagosNoGenerator: PowerHabit = { cutsPerDay: 0.7, meanMin: 70 };
const dumsor: PowerHabit = { cutsPerDay: 0.5, meanMin: 110, backupAfterMin: 20 };
const coastGrid: PowerHabit = { cutsPerDay: 0.4, meanMin: 50 };

function standing(
  common: Common, at: readonly [number, number], chamber: ChamberSpec, doors: DoorHabit, power: PowerHabit, outsideShare: number, mishaps: Mishaps = {},
): Plan {
  return { ...common, world: { kind: 'fixed', at, outsideShare, chambers: [chamber], doors, power, mishaps } };
}

/** The whole fleet in one visible list. The order is part of the IMEIs: append, do not insert. */
const plans: readonly Plan[] = [
  // Nigeria
  standing({ name: 'Vaccine fridge, Ikeja clinic', tag: 'Lagos', country: 'NG', type: 'fridge', limits: chilled, link: 'mqtt', intervalS: 300 },
    [6.6018, 3.3515], chambers.iceLinedFridge, ward, lagosGrid, 0.5),
  standing({ name: 'Insulin fridge, Yaba pharmacy', tag: 'Lagos', country: 'NG', type: 'fridge', limits: chilled, link: 'http', intervalS: 300 },
    [6.5095, 3.3711], chambers.pharmacyFridge, counter, lagosNoGenerator, 0.7, { doorAjarDays: 11 }),
  {
    name: 'Apapa cold store, chill room', tag: 'Lagos port', country: 'NG', type: 'cold-room', limits: chilled, link: 'mqtt', intervalS: 300,
    probes: [
      { probe: 1, name: 'Apapa cold store, chill room', limits: chilled },
      { probe: 2, name: 'Apapa cold store, freezer room', limits: frozen },
    ],
    world: {
      kind: 'fixed', at: [6.4412, 3.3672], outsideShare: 0.85, chambers: [chambers.coldRoom, chambers.freezerRoom],
      doors: warehouse, power: lagosGrid, mishaps: { doorAjarDays: 13 },
    },
  },
  {
    name: 'Van LND-482 XA', tag: 'Lagos - Ibadan', country: 'NG', type: 'van', limits: chilled, link: 'mqtt', intervalS: 180, movingIntervalS: 60,
    world: { kind: 'van', road: 'lagosIbadan', rhythm: 'return', departH: 6.6, pace: 0.95, chambers: [chambers.chilledVan], mishaps: { doorAjarDays: 17 } },
  },
  standing({ name: 'Plasma freezer, Garki hospital', tag: 'Abuja', country: 'NG', type: 'freezer', limits: frozen, link: 'mqtt', intervalS: 600, visibility: 'private' },
    [9.0365, 7.4898], chambers.chestFreezer, archive, lagosGrid, 0.5, { compressorDays: 24 }),
  // Kenya
  standing({ name: 'Central vaccine store, Nairobi', tag: 'Nairobi', country: 'KE', type: 'cold-room', limits: chilled, link: 'mqtt', intervalS: 300, licenceMonths: 24 },
    [-1.3005, 36.8270], chambers.coldRoom, warehouse, steadyGrid, 0.8),
  {
    name: 'Truck KDG 214T', tag: 'Nairobi - Mombasa', country: 'KE', type: 'van', limits: chilled, link: 'mqtt', intervalS: 180, movingIntervalS: 60,
    world: { kind: 'van', road: 'nairobiMombasa', rhythm: 'alternate', departH: 5.4, pace: 0.86, chambers: [chambers.chilledVan], mishaps: { compressorDays: 19 } },
  },
  standing({ name: 'Pharmacy fridge, Nyali', tag: 'Mombasa', country: 'KE', type: 'fridge', limits: chilled, link: 'http', intervalS: 300 },
    [-4.0340, 39.7010], chambers.pharmacyFridge, counter, coastGrid, 0.65, { thermostatDays: 15 }),
  {
    name: 'Outreach cold box 7', tag: 'Turkana', country: 'KE', type: 'cold-box', limits: chilled, link: 'http', intervalS: 300,
    world: { kind: 'cold-box', road: 'lodwarKakuma', packDay: 1, packH: 7, outingDays: 2, batteryH: 46, chambers: [chambers.vaccineCarrier] },
  },
  {
    name: 'Sample box NBO-JNB', tag: 'Air freight', country: 'KE', type: 'parcel', limits: chilled, link: 'mqtt', intervalS: 600, movingIntervalS: 300, visibility: 'private',
    world: { kind: 'parcel', chambers: [chambers.gelPackParcel] },
  },
  // Ghana
  standing({ name: 'Vaccine fridge, Korle Bu', tag: 'Accra', country: 'GH', type: 'fridge', limits: chilled, link: 'mqtt', intervalS: 300 },
    [5.5363, -0.2270], chambers.iceLinedFridge, ward, dumsor, 0.5, { doorAjarDays: 18 }),
  {
    name: 'Van GT 5120-24', tag: 'Accra - Kumasi', country: 'GH', type: 'van', limits: chilled, link: 'mqtt', intervalS: 180, movingIntervalS: 60,
    world: { kind: 'van', road: 'accraKumasi', rhythm: 'alternate', departH: 6, pace: 0.9, chambers: [chambers.chilledVan], mishaps: { doorAjarDays: 14 } },
  },
  standing({ name: 'Medicines store, Kumasi', tag: 'Kumasi', country: 'GH', type: 'cold-room', limits: roomTemperature, link: 'http', intervalS: 600 },
    [6.6960, -1.6300], chambers.airConditionedStore, warehouse, dumsor, 0.95),
  {
    name: 'Outreach cold box 3', tag: 'Upper East', country: 'GH', type: 'cold-box', limits: chilled, link: 'mqtt', intervalS: 300,
    world: { kind: 'cold-box', road: 'tamaleBolgatanga', packDay: 3, packH: 6.5, outingDays: 3, batteryH: 62, chambers: [chambers.vaccineCarrier] },
  },
  // South Africa
  {
    name: 'Truck FZR 883 GP', tag: 'Johannesburg - Durban', country: 'ZA', type: 'van', limits: frozen, link: 'mqtt', intervalS: 180, movingIntervalS: 60,
    world: { kind: 'van', road: 'johannesburgDurban', rhythm: 'alternate', departH: 5, pace: 0.88, chambers: [chambers.frozenTruck], mishaps: { compressorDays: 26 } },
  },
  {
    name: 'Van CA 611-902', tag: 'Cape Town - Paarl', country: 'ZA', type: 'van', limits: chilled, link: 'http', intervalS: 180, movingIntervalS: 60,
    world: { kind: 'van', road: 'capeTownPaarl', rhythm: 'return', departH: 7.2, pace: 1, chambers: [chambers.chilledVan], mishaps: {} },
  },
  {
    name: 'Reefer ISOU 482913 7', tag: 'Durban - Tema - Apapa', country: 'ZA', type: 'container', limits: chilled, link: 'mqtt', intervalS: 600, licenceMonths: 24,
    world: { kind: 'container', chambers: [chambers.reeferContainer] },
  },
  standing({ name: 'Vaccine fridge, Khayelitsha clinic', tag: 'Cape Town', country: 'ZA', type: 'fridge', limits: chilled, link: 'mqtt', intervalS: 300 },
    [-34.0389, 18.6783], chambers.iceLinedFridge, ward, loadShedding, 0.6),
  standing({ name: 'Cold room, Maydon Wharf', tag: 'Durban port', country: 'ZA', type: 'cold-room', limits: chilled, link: 'http', intervalS: 300 },
    [-29.8766, 31.0060], chambers.coldRoom, warehouse, loadShedding, 0.9, { compressorDays: 16 }),
];

/** The demonstration fleet. The same seed gives the same trackers with the same lives; another seed gives others. */
export function fleet(seed: string): TrackerSpec[] {
  return plans.map((plan, index) => ({
    imei: imeiOf(seed, index),
    type: plan.type,
    name: plan.name,
    tag: plan.tag,
    visibility: plan.visibility ?? 'public',
    intervalS: plan.intervalS,
    ...(plan.movingIntervalS === undefined ? {} : { movingIntervalS: plan.movingIntervalS }),
    limits: plan.limits,
    probes: plan.probes ?? [{ probe: 1, name: plan.name, limits: plan.limits }],
    country: plan.country,
    timeZone: zones[plan.country],
    licenceMonths: plan.licenceMonths ?? 12,
    link: plan.link,
    seed,
    world: plan.world,
  }));
}

/** A type allocation code that is not on sale, a serial number from seed and place in the list, and the check digit. */
function imeiOf(seed: string, index: number): string {
  const serial = (hashKey(seed, 'imei') % 9000 + 1000) * 100 + index + 1;
  const digits = `35880011${String(serial).padStart(6, '0')}`.slice(0, 14);
  return `${digits}${luhnDigit(digits)}`;
}

/** The 15th digit of an IMEI (3GPP TS 23.003, annex B). */
export function luhnDigit(digits: string): number {
  let sum = 0;
  for (const [index, digit] of [...digits].reverse().entries()) {
    const doubled = index % 2 === 0 ? Number(digit) * 2 : Number(digit);
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return (10 - (sum % 10)) % 10;
}
