import pg from 'pg'
import { vi } from 'vitest'
import type { Pool } from '../src/platform/db/pool.ts'

interface Plan {
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  Plans?: Plan[]
}

interface Statement {
  text: string
  values: unknown[]
}

/** How often a table was looked into, and how many of its rows that read. */
interface Reads {
  scans: number
  rows: number
}

/**
 * How the statements of `work` whose text has `having` read a table, by EXPLAIN ANALYZE of each as that role. Plans differ with what PostgreSQL
 * knows of a table, so a test compares the figures with how many rows there are, and leaves room.
 */
export async function readsOf(
  pool: Pool,
  role: { companyId: number } | 'pipeline',
  { table, having }: { table: string; having: string },
  work: () => Promise<unknown>,
): Promise<Reads> {
  const statements = (await statementsOf(work)).filter(({ text }) => text.includes(having))
  if (statements.length === 0) throw new Error(`no statement has "${having}"`)
  const client = await pool.connect()
  try {
    const reads = { scans: 0, rows: 0 }
    for (const { text, values } of statements) {
      await client.query(
        role === 'pipeline'
          ? 'begin; set local role pipeline'
          : `begin; set local role app; set local app.company_id = '${role.companyId}'`,
      )
      const { rows } = await client.query(`explain (analyze, format json) ${text}`, values)

      addUp(reads, rows[0]['QUERY PLAN'][0].Plan, table)
      await client.query('rollback')
    }
    return reads
  } finally {
    client.release()
  }
}

async function statementsOf(work: () => Promise<unknown>): Promise<Statement[]> {
  const asked = vi.spyOn(pg.Client.prototype, 'query')
  try {
    await work()
    const statements = asked.mock.calls.map(([first, second]: unknown[]): Statement => {
      const { text, values } = typeof first === 'string' ? { text: first, values: second } : (first as Statement)
      return { text, values: Array.isArray(values) ? values : [] }
    })
    // Sweeps ask the same beside it.
    return [...new Map(statements.map((one) => [one.text, one])).values()]
  } finally {
    asked.mockRestore()
  }
}

function addUp(reads: Reads, plan: Plan, table: string): void {
  if (plan['Relation Name'] === table) {
    reads.scans += plan['Actual Loops']
    reads.rows += (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)) * plan['Actual Loops']
  }
  for (const each of plan.Plans ?? []) addUp(reads, each, table)
}
