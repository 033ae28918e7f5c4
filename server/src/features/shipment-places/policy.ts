import type { NewShipmentPlace } from '@isotherm/contract/shipment-places.ts'
import { findCompany } from '../../core/company/company.ts'
import { loadPorts, nearestZone, type PortRow } from '../../core/ports/port-queries.ts'
import { draftNumber } from '../../core/shipments/draft-number.ts'
import { gln } from '../../domain/identifiers.ts'
import type { Context } from '../../platform/context.ts'
import { AppError, invalidField } from '../../platform/errors/app-error.ts'
import { Faults } from '../../platform/errors/faults.ts'
import { zonesOfCountry } from '../../platform/gazetteer/country-zones.ts'
import { isNameTaken, lockNames, type PlaceKind, type PlaceRow } from './queries.ts'

/** Throws VALIDATION where another place of the kind has the name. */
export async function refuseTaken(ctx: Context, kind: PlaceKind, name: string, but: string | null): Promise<void> {
  await lockNames(ctx)
  if (await isNameTaken(ctx, kind, name, but)) throw invalidField('name', 'rule.nameTaken')
}

/** The columns of the number of a place by GS1; none where it is left out. Throws VALIDATION where it is none. */
export function glnColumns({ gln: typed, glnUnchecked }: Pick<Partial<NewShipmentPlace>, 'gln' | 'glnUnchecked'>) {
  if (typed === undefined) return {}
  const faults = new Faults()
  const number = draftNumber(typed, { path: 'gln', name: 'gln', read: gln, isUnchecked: glnUnchecked }, faults)
  faults.throwIfAny()
  return { gln: number.value, gln_unchecked: number.isUnchecked }
}

/** Throws PLACE_IN_USE where a shipment that is not over has the place. */
export function refuseUsed({ name, open_shipments: count }: PlaceRow): void {
  if (count > 0) throw new AppError('PLACE_IN_USE', { name, count })
}

/** The ports that somebody names, each once; throws VALIDATION where one is not there, or was closed and is new here. */
export async function portsNamed(
  { tx }: Context,
  named: NonNullable<NewShipmentPlace['ports']>,
  before: PlaceRow['ports'],
): Promise<PortRow[]> {
  const keys = named.map(({ type, code }) => ({ kind: type, code: code.toUpperCase() }))
  const found = await loadPorts(tx, keys)
  const chosen = keys.map(({ kind, code }, i) => {
    const port = found.find((each) => each.kind === kind && each.code === code)
    const had = before.some((each) => each.kind === kind && each.code === code)
    if (!port || (port.retired_at && !had)) throw invalidField(`ports.${i}.code`, 'rule.unknownPort')
    return port
  })
  return [...new Set(chosen)]
}

interface Where {
  country: string
  position: { lat: number; lon: number } | null
  ports: readonly Pick<PortRow, 'zone'>[]
}

/**
 * The zone of a place: that of a country that has one only, else of its nearest port or airport, else of the place's own ports, else the
 * company's where that is of the country, else the country's first.
 */
export async function zoneOfPlace(ctx: Context, { country, position, ports }: Where): Promise<string> {
  const zones = zonesOfCountry(country)
  if (zones.length === 1 && zones[0]) return zones[0]
  const near = position && (await nearestZone(ctx.tx, country, position))
  if (near) return near
  const ofPort = ports.find(({ zone }) => zone !== null)?.zone
  if (ofPort) return ofPort
  const { timezone } = await findCompany(ctx.tx, ctx.companyId)
  return zones.includes(timezone) ? timezone : (zones[0] ?? timezone)
}
