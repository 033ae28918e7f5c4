import { type EpcisRead, epcisLimits } from '@isotherm/contract/epcis.ts'
import { exportSettingsOf } from '../../core/shipments/export-settings.ts'
import { eventsIn, faultsOf } from '../../domain/epcis/faults.ts'
import { readEpcis } from '../../domain/epcis/read.ts'
import { jsonIn } from '../../domain/epcis/read-parts.ts'
import { glnsIn, type KnownPlaces } from '../../domain/epcis/read-places.ts'
import type { Context } from '../../platform/context.ts'
import { jsonFault } from '../../platform/http/json-shape.ts'
import { placesByGln } from './queries.ts'

const refused = (fault: 'json' | 'tooMany', events = 0): EpcisRead => ({
  ...{ faults: [{ path: '', fault }], events, withdrawn: 0, from: null, to: null, pallets: [], gtins: [], lots: [] },
  ...{ lowestC: null, highestC: null, unknown: [], draft: null },
})

/**
 * Reads a document that somebody brings: its shape is judged before it is parsed. One with faults proposes nothing. Places and ports are found by the
 * numbers that the company gave them.
 */
export async function readDocument(ctx: Context, file: File): Promise<EpcisRead> {
  const bytes = Buffer.from(await file.arrayBuffer())
  if (jsonFault(bytes)) return refused('tooMany')
  let document: unknown
  try {
    document = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    return refused('json')
  }
  const { length } = eventsIn(document)
  if (length > epcisLimits.readEvents) return refused('tooMany', length)
  const faults = faultsOf(document)
  if (faults.length > 0) return { ...refused('json', length), faults }
  return { ...readEpcis(document, await knownPlaces(ctx, glnsIn(eventsIn(document).map(jsonIn)))), faults: [] }
}

async function knownPlaces(ctx: Context, glns: readonly string[]): Promise<KnownPlaces> {
  const rows = await placesByGln(ctx, glns)
  const of = (wanted: string) =>
    new Map(rows.flatMap(({ kind, gln, ...place }) => (kind === wanted ? [[gln, place] as const] : [])))
  const { portGlns } = await exportSettingsOf(ctx)
  return {
    ...{ origins: of('origin'), destinations: of('destination') },
    ports: new Map(portGlns.map(({ code, gln }) => [gln, code])),
  }
}
