import type { Partner } from '@isotherm/contract/partners.ts'
import type { PartnerRow } from './queries.ts'

export const presentPartner = (row: PartnerRow): Partner => ({
  id: row.id,
  companyName: row.company_name,
  companyAddress: row.company_address,
  fullName: row.full_name,
  email: row.email,
  phone: row.phone,
  stateProvince: row.state_province,
  lga: row.lga,
  country: row.country,
  createdAt: row.created_at.toISOString(),
  version: row.version,
})

/** How the audit trail names a partner. */
export const target = (row: PartnerRow) => ({ kind: 'partner', id: row.id, name: row.company_name })

/** The facts of a partner in the audit trail. */
export const auditSnapshot = (row: PartnerRow) => {
  const { id: _id, createdAt: _createdAt, version: _version, ...facts } = presentPartner(row)
  return facts
}
