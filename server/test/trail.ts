import type { TestApp } from './harness.ts'

export interface TrailEntry {
  action: string
  actor: { kind: string; id?: string }
  target: { kind: string; id: string; name: string } | null
  before: Record<string, unknown> | null
  after: Record<string, unknown> | null
  reason: string | null
}

/** A company's audit trail, oldest first; read past the tenant wall by the pipeline. */
export async function trailOf(test: TestApp, companyId: number): Promise<TrailEntry[]> {
  await test.runJobs()
  const client = await test.pool.connect()
  try {
    await client.query('begin; set local role pipeline')
    const { rows } = await client.query('select * from audit_log where company_id = $1 order by seq', [companyId])
    await client.query('rollback')
    return rows
  } finally {
    client.release()
  }
}
