import { type EpcisRead, epcisLimits } from '@isotherm/contract/epcis.ts'
import { eventsIn, faultsOf } from '../../domain/epcis/faults.ts'
import { readEpcis } from '../../domain/epcis/read.ts'
import { jsonFault } from '../../platform/http/json-shape.ts'

const refused = (fault: 'json' | 'tooMany', events = 0): EpcisRead => ({
  ...{ faults: [{ path: '', fault }], events, withdrawn: 0, from: null, to: null, pallets: [], gtins: [], lots: [] },
  ...{ lowestC: null, highestC: null, unknown: [], draft: null },
})

/** Reads a document that somebody brings: its shape is judged before it is parsed. One with faults proposes nothing. */
export async function readDocument(file: File): Promise<EpcisRead> {
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
  return { ...readEpcis(document), faults: [] }
}
