import type { ChamberSpec } from './spec.ts'

/** The refrigerated spaces of the fleet, by make rather than by owner. */
// biome-ignore format: a table reads best with a line for each
export const chambers = {
  pharmacyFridge: { setC: 4.8, bandC: 0.9, wallPerH: 0.36, loadPerH: 2.4, loadCapacity: 5, coolingCPerH: 20, doorPerH: 7, sensorS: 260, dryPct: 38, dampPct: 58 },
  /** Ice-lined: holds for a day without power, hardly notices its door. */
  iceLinedFridge: { setC: 4.4, bandC: 0.6, wallPerH: 0.2, loadPerH: 2.6, loadCapacity: 16, coolingCPerH: 11, doorPerH: 6, sensorS: 300, dryPct: 45, dampPct: 62 },
  chestFreezer: { setC: -20.5, bandC: 1.1, wallPerH: 0.26, loadPerH: 1.8, loadCapacity: 7, coolingCPerH: 27, doorPerH: 5, sensorS: 240, dryPct: 52, dampPct: 68 },
  coldRoom: { setC: 4.6, bandC: 0.8, wallPerH: 0.16, loadPerH: 1.4, loadCapacity: 14, coolingCPerH: 9, doorPerH: 1.7, sensorS: 200, defrost: { everyH: 6, forMin: 18, heatCPerH: 4 }, dryPct: 62, dampPct: 78 },
  freezerRoom: { setC: -20, bandC: 1, wallPerH: 0.14, loadPerH: 1.3, loadCapacity: 16, coolingCPerH: 14, doorPerH: 1.1, sensorS: 200, defrost: { everyH: 8, forMin: 22, heatCPerH: 6 }, dryPct: 60, dampPct: 74 },
  /** A store of ordinary medicines, kept below 25 C by air conditioning. */
  airConditionedStore: { setC: 21.5, bandC: 0.8, wallPerH: 0.35, loadPerH: 1, loadCapacity: 8, coolingCPerH: 9, doorPerH: 1.5, sensorS: 150, dryPct: 48, dampPct: 60 },
  chilledVan: { setC: 4.6, bandC: 0.9, wallPerH: 0.5, loadPerH: 2.2, loadCapacity: 5, coolingCPerH: 30, doorPerH: 3.2, sensorS: 480, dryPct: 48, dampPct: 66 },
  frozenTruck: { setC: -20.5, bandC: 1.2, wallPerH: 0.24, loadPerH: 1.6, loadCapacity: 9, coolingCPerH: 28, doorPerH: 2.2, sensorS: 420, defrost: { everyH: 8, forMin: 16, heatCPerH: 5 }, dryPct: 58, dampPct: 74 },
  reeferContainer: { setC: 4.5, bandC: 0.35, wallPerH: 0.12, loadPerH: 1.3, loadCapacity: 30, coolingCPerH: 8, doorPerH: 1.1, sensorS: 300, defrost: { everyH: 12, forMin: 24, heatCPerH: 5 }, dryPct: 78, dampPct: 90 },
  /** For fruit that is treated by cold: its air, and the slow middle of its fruit. */
  citrusContainer: { setC: 0, bandC: 0.3, wallPerH: 0.08, loadPerH: 1.3, loadCapacity: 40, coolingCPerH: 8, doorPerH: 1.1, sensorS: 300, defrost: { everyH: 12, forMin: 20, heatCPerH: 4 }, dryPct: 80, dampPct: 92 },
  citrusPulp: { setC: 0.15, bandC: 0.25, wallPerH: 0.08, loadPerH: 1.3, loadCapacity: 40, coolingCPerH: 8, doorPerH: 1.1, sensorS: 9000, defrost: { everyH: 12, forMin: 20, heatCPerH: 4 }, dryPct: 84, dampPct: 94 },
  gelPackParcel: { setC: 5, bandC: 0.3, wallPerH: 0.45, loadPerH: 7, loadCapacity: 5, coolingCPerH: 0, doorPerH: 8, sensorS: 300, pack: { meltsAtC: 4.2, capacityCH: 380 }, dryPct: 45, dampPct: 52 },
  vaccineCarrier: { setC: 4, bandC: 0.5, wallPerH: 0.62, loadPerH: 6, loadCapacity: 5, coolingCPerH: 0, doorPerH: 3.5, sensorS: 240, pack: { meltsAtC: 1.4, capacityCH: 620 }, dryPct: 60, dampPct: 72 },
} as const satisfies Record<string, ChamberSpec>
