import type { Contact } from '@isotherm/contract/contacts.ts'
import type { ContactRow } from './queries.ts'

export const presentContact = (row: ContactRow): Contact => ({
  id: row.id,
  name: row.name,
  company: row.company_name,
  email: row.email,
  phone: row.phone,
  address: row.address,
  position: row.lat === null || row.lon === null ? null : { lat: row.lat, lon: row.lon },
  country: row.country,
  note: row.note,
  createdAt: row.created_at.toISOString(),
  version: row.version,
})

/** How the audit trail names a contact. */
export const target = ({ id, name }: ContactRow) => ({ kind: 'contact', id, name })

/** The facts of a contact in the audit trail. */
export const auditSnapshot = (row: ContactRow) => {
  const { id: _id, createdAt: _createdAt, version: _version, ...facts } = presentContact(row)
  return facts
}
