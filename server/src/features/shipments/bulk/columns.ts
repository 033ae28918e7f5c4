import { localeNames } from '@isotherm/contract/common.ts'
import { incoterm } from '@isotherm/contract/incoterms.ts'
import { quantityUnits } from '@isotherm/contract/shipment-products.ts'
import { devicePlaces, incoterms, Logistics, legModes } from '@isotherm/contract/shipments.ts'
import type { BulkColumn, NameIn, Reader } from '../../../core/bulk/bulk-rules.ts'
import {
  choice,
  chosenFrom,
  code,
  day,
  decimal,
  devicesAt,
  digits,
  time,
  whole,
  words,
} from '../../../core/bulk/readers.ts'
import { countryCodes } from '../../../platform/gazetteer/country-names.ts'
import { foldName } from '../../../platform/gazetteer/fold-name.ts'
import { translate } from '../../../platform/i18n/i18n.ts'
import { sheetRule } from '../../../platform/sheets/sheet.ts'

/** The names that screens have below a key. */
const below =
  (key: string): NameIn =>
  (value, locale) =>
    translate(locale, `${key}.${value}`)

const country: Reader = (cell, by) => {
  const read = words(cell, by)
  if ('message' in read) return read
  const text = String(read.value)
  if (/^[a-z]{2}$/i.test(text)) return { value: text.toUpperCase() }
  const known = localeNames.map((locale) => countryCodes(locale).get(foldName(text))).find(Boolean)
  return known ? { value: known } : { message: { key: 'fields.format.country', values: {} } }
}

/** A term of Incoterms 2020; one of an older edition is asked about. */
const term: Reader = (cell, by) => {
  const read = words(cell, by)
  const known = 'value' in read ? incoterm(String(read.value)) : { fault: 'form' as const }
  if ('value' in known) return known
  const { didYouMean } = known
  return didYouMean ? { message: sheetRule('formerIncoterm', { term: didYouMean }) } : choice(incoterms)(cell, by)
}

/** Whether somebody insists on a number whose check digit is wrong. */
export const answers = ['yes', 'no'] as const
const yesOrNo = { ...chosenFrom(answers, below('shipments:ppecb')), example: 'no' }

const celsius: Reader = (cell, by) => decimal(typeof cell === 'string' ? cell.replace(/\s*°?\s*C$/i, '') : cell, by)

/** Columns of a product: each row has one. */
export const ofProduct: readonly BulkColumn[] = [
  { name: 'product', isNeeded: true, read: words, example: 'Oranges' },
  { name: 'variety', read: words, example: 'Valencia' },
  { name: 'hsCode', isText: true, read: digits(6, 8, 10), example: '080510' },
  { name: 'gtin', isText: true, read: digits(8, 12, 13, 14), example: '6001234500018' },
  { name: 'gtinUnchecked', ...yesOrNo },
  { name: 'quantity', read: decimal, example: '1200' },
  {
    ...{ name: 'quantityUnit', example: 'carton' },
    ...chosenFrom(quantityUnits, below('shipments:unit')),
  },
  { name: 'minC', read: celsius, example: '3.5' },
  { name: 'maxC', read: celsius, example: '4.5' },
]

export const shipmentColumns: readonly BulkColumn[] = [
  { name: 'reference', isText: true, read: code, example: 'PO-2026-118' },
  { name: 'trackingNumber', isText: true, read: code, example: 'TRK-90417' },
  {
    ...{ name: 'logistics', isNeeded: true, example: 'external' },
    ...chosenFrom(Logistics.options, below('shipments:logistics')),
  },
  ...ofProduct,
  { name: 'pallets', read: whole, example: '20' },
  { name: 'grossWeightKg', read: decimal, example: '21500.5' },
  { name: 'incoterm', read: term, example: 'CIF', choices: incoterms },
  { name: 'incotermPlace', read: words, example: 'Rotterdam' },
  { name: 'origin', isNeeded: true, read: words, example: 'Citrusdal pack house', choices: 'origins' },
  { name: 'destination', isNeeded: true, read: words, example: 'Rotterdam importer', choices: 'destinations' },
  { name: 'region', read: words, example: 'South Holland' },
  { name: 'country', read: country, example: 'NL' },
  { name: 'personOfContact', read: words, example: 'Anna de Vries' },
  { name: 'partner', read: words, example: 'Cape Forwarders', choices: 'partners' },
  { name: 'setPointC', read: celsius, example: '4' },
  { name: 'regimeCode', isText: true, read: code, example: 'CT1' },
  { name: 'loadingOn', read: day, example: '2026-06-20' },
  { name: 'departureOn', read: day, example: '2026-06-24' },
  {
    ...{ name: 'mode', isNeeded: true, example: 'sea' },
    ...chosenFrom(legModes, below('shipments:mode')),
  },
  { name: 'fromPort', read: code, example: 'ZACPT' },
  { name: 'toPort', read: code, example: 'NLRTM' },
  { name: 'vesselName', read: words, example: 'MV Orange Star' },
  { name: 'imo', isText: true, read: digits(7), example: '9074729' },
  { name: 'imoUnchecked', ...yesOrNo },
  { name: 'voyage', isText: true, read: code, example: '117E' },
  { name: 'carrierName', read: words, example: 'Cool Line' },
  { name: 'flightNumber', isText: true, read: code, example: 'KQ100' },
  { name: 'awb', isText: true, read: digits(11), example: '12512345675' },
  { name: 'awbUnchecked', ...yesOrNo },
  { name: 'houseAwb', isText: true, read: code, example: 'HAWB-77' },
  { name: 'bookingNumber', isText: true, read: code, example: 'BKG-1180' },
  { name: 'containerNo', isText: true, read: code, example: 'CSQU3054383' },
  { name: 'containerUnchecked', ...yesOrNo },
  { name: 'sealNo', isText: true, read: code, example: 'SL-4471' },
  { name: 'etd', read: time, example: '2026-06-24 18:00' },
  { name: 'eta', read: time, example: '2026-07-14 06:00' },
  {
    name: 'devices',
    isText: true,
    read: devicesAt(devicePlaces),
    example: '490154203237518 air; 490154203237526 pallet 160012345000000015',
  },
  { name: 'lot', isText: true, read: code, example: 'L-118' },
  { name: 'note', read: words, example: 'Phytosanitary certificate to follow' },
]
