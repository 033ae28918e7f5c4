import { type Locale, localeNames } from '@isotherm/contract/common.ts'
import { Rule } from '@isotherm/contract/orders.ts'
import type { BulkColumn } from '../../../core/bulk/bulk-rules.ts'
import {
  chosenFrom,
  code,
  decimal,
  degrees,
  devicesAt,
  digits,
  time,
  timeOrDay,
  whole,
  words,
} from '../../../core/bulk/readers.ts'
import { translate } from '../../../platform/i18n/i18n.ts'

const languageName = (language: string, locale: Locale) =>
  new Intl.DisplayNames(locale, { type: 'language' }).of(language) ?? language
const rule = {
  ...chosenFrom(Rule.options, (value, locale) => translate(locale, `orders:form.rule.${value}`)),
  example: 'hand',
}

/** Columns of the order: in each of its rows they say the same, or nothing. */
export const ofOrder: readonly BulkColumn[] = [
  { name: 'reference', isText: true, read: code, example: 'SO-2026-118' },
  { name: 'sender', isNeeded: true, read: words, example: 'Ikeja cold store', choices: 'contacts' },
  { name: 'senderPhone', isText: true, read: digits(), example: '+234 803 123 4567' },
  { name: 'senderEmail', read: words, example: 'store@example.com' },
  { name: 'pickup', read: words, example: '12 Allen Avenue, Ikeja' },
  { name: 'pickupLat', read: degrees, example: '6.6018' },
  { name: 'pickupLon', read: degrees, example: '3.3515' },
  { name: 'pickupAt', read: time, example: '2026-11-30 07:00' },
  { name: 'deliverBy', isNeeded: true, read: timeOrDay, example: '2026-11-30 17:00' },
]

/** Columns of a receiver: the first of their rows says them, further ones say the same, or nothing. */
export const ofReceiver: readonly BulkColumn[] = [
  { name: 'receiver', isNeeded: true, read: words, example: 'Apapa clinic', choices: 'contacts' },
  { name: 'receiverCompany', read: words, example: 'Lagos Health' },
  { name: 'receiverPhone', isText: true, read: digits(), example: '+234 805 765 4321' },
  { name: 'receiverEmail', read: words, example: 'clinic@example.com' },
  {
    ...{ name: 'language', example: 'en' },
    ...chosenFrom(localeNames, languageName),
  },
  { name: 'address', read: words, example: '3 Creek Lane, Apapa' },
  { name: 'lat', read: degrees, example: '6.4489' },
  { name: 'lon', read: degrees, example: '3.3592' },
  { name: 'windowFrom', read: time, example: '2026-11-30 09:00' },
  { name: 'windowBy', read: timeOrDay, example: '2026-11-30 12:00' },
]

/** Columns of an item: each row has one. */
export const ofItem: readonly BulkColumn[] = [
  { name: 'item', isNeeded: true, read: words, example: 'Vaccine box' },
  { name: 'quantity', isNeeded: true, read: whole, example: '2' },
  { name: 'unitCount', read: whole, example: '10' },
  { name: 'weightKg', read: decimal, example: '4.5' },
  { name: 'worth', read: decimal, example: '500.00' },
  { name: 'itemNote', read: words, example: 'Keep upright' },
]

/** Further columns of the order. `devices` of all its rows travel with it. */
export const ofJourney: readonly BulkColumn[] = [
  { name: 'driver', read: words, example: 'Musa Bello', choices: 'drivers' },
  { name: 'vehicle', isText: true, read: words, example: 'LAG 118 XY', choices: 'vehicles' },
  { name: 'devices', isText: true, read: devicesAt(['cargo', 'vehicle']), example: '490154203237518 cargo' },
  { name: 'startRule', ...rule },
  { name: 'endRule', ...rule },
  { name: 'deliveryFee', read: decimal, example: '15.00' },
  { name: 'lot', isText: true, read: code, example: 'L-118' },
  { name: 'note', read: words, example: 'Ring at the back door' },
]

export const orderBulkColumns: readonly BulkColumn[] = [...ofOrder, ...ofReceiver, ...ofItem, ...ofJourney]
