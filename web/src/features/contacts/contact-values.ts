import type { Contact, NewContact } from '@isotherm/contract/contacts.ts'

/** The values of the fields: texts, which are empty where there is nothing. */
export interface ContactValues {
  name: string
  company: string
  email: string
  phone: string
  address: string
  position: { lat: number | string; lon: number | string }
  country: string | null
  note: string
}

export const valuesOf = (contact: Contact | null): ContactValues => ({
  name: contact?.name ?? '',
  company: contact?.company ?? '',
  email: contact?.email ?? '',
  phone: contact?.phone ?? '',
  address: contact?.address ?? '',
  position: { lat: contact?.position?.lat ?? '', lon: contact?.position?.lon ?? '' },
  country: contact?.country ?? null,
  note: contact?.note ?? '',
})

const isOnEarth = (lat: number, lon: number) => Math.abs(lat) <= 90 && Math.abs(lon) <= 180

const pairs = [
  /^\s*(-?\d{1,2}\.\d+)\s*[,;\s]\s*(-?\d{1,3}\.\d+)\s*$/,
  // Where decimals have a comma, it alone does not part two numbers.
  /^\s*(-?\d{1,2},\d+)\s*(?:;|,?\s)\s*(-?\d{1,3},\d+)\s*$/,
]

/** Both coordinates of a text, as maps copy them: "6.4489, 3.3592". Null where it is anything else. */
export function pastedPosition(text: string): { lat: number; lon: number } | null {
  const plain = text.replaceAll('\u2212', '-')
  const pair = pairs.map((pattern) => plain.match(pattern)).find((match) => match !== null)
  if (!pair) return null
  const [lat = 0, lon = 0] = pair.slice(1).map((number) => Number(number.replace(',', '.')))
  return isOnEarth(lat, lon) ? { lat, lon } : null
}

/** The position, where both halves of it are there and on the earth. */
export function positionOf({ position: { lat, lon } }: ContactValues): { lat: number; lon: number } | null {
  return typeof lat === 'number' && typeof lon === 'number' && isOnEarth(lat, lon) ? { lat, lon } : null
}

/** The body of the call: nothing in place of empty texts. Half a position is a position with a fault. */
export const bodyOf = ({ name, position, ...values }: ContactValues): NewContact => ({
  name,
  company: values.company.trim() || null,
  email: values.email.trim() || null,
  phone: values.phone.trim() || null,
  address: values.address.trim() || null,
  position: position.lat === '' && position.lon === '' ? null : (position as NewContact['position'] & object),
  country: values.country || null,
  note: values.note.trim() || null,
})
