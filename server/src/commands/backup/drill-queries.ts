import type { Client } from '../../platform/db/pool.ts'

/** Companies that have a trail. As the pipeline. */
export async function auditedCompanies(client: Client): Promise<number[]> {
  const { rows } = await client.query<{ company_id: number }>('select company_id from audit_heads order by 1')
  return rows.map(({ company_id }) => company_id)
}

interface SampledSignature {
  company_id: number
  id: string
  record_id: string
  signer_id: string
  signer_name: string
  signer_role: string
  signed_at: Date
  meaning: string
  reason: string
  parts: unknown
  content_sha256: Buffer
  previous_sha256: Buffer | null
  sha256: Buffer
}

/** Some signatures of a company's records, at random. In the tenant's transaction. */
export async function sampleSignatures(client: Client, max: number): Promise<SampledSignature[]> {
  const { rows } = await client.query<SampledSignature>('select * from record_signatures order by random() limit $1', [
    max,
  ])
  return rows
}

/** Some files that people attached to a company's records, at random. In the tenant's transaction. */
export async function sampleAttachments(client: Client, max: number): Promise<{ file_key: string; sha256: Buffer }[]> {
  const { rows } = await client.query<{ file_key: string; sha256: Buffer }>(
    'select file_key, sha256 from record_attachments where removed_at is null order by random() limit $1',
    [max],
  )
  return rows
}
