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

/** The position, where both halves of it are there and on the earth. */
export function positionOf({ position: { lat, lon } }: ContactValues): { lat: number; lon: number } | null {
  const isThere = typeof lat === 'number' && typeof lon === 'number' && Math.abs(lat) <= 90 && Math.abs(lon) <= 180
  return isThere ? { lat, lon } : null
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
