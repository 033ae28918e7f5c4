import { expect, test } from 'vitest'
import { describeApp } from '../../../test/describe-app.ts'
import { buildCompany } from '../../../test/factories.ts'
import { asPipeline } from '../../platform/db/transaction.ts'
import type { Batch, Row } from '../batch.ts'
import { writeArrivals } from './write-arrivals.ts'

const t = describeApp()
const at = (s: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, s))

interface NotedReading {
  companyId: number
  id: number
  s: number
  receivedS: number
  notesArrivals?: boolean
}
const row = ({ companyId, id, s, receivedS, notesArrivals = true }: NotedReading) =>
  ({
    ...{ at: at(s).getTime(), device: { companyId, id, notesArrivals } },
    part: { message: { receivedAt: at(receivedS).getTime() } },
  }) as unknown as Row

test('a batch leaves an arrival of its own readings to each company that exports, and none to others', async () => {
  const [one, other, silent] = [await buildCompany(t), await buildCompany(t), await buildCompany(t)]
  const inserted = [
    row({ ...one, id: 1, s: 10, receivedS: 60 }),
    row({ ...silent, id: 5, s: 10, receivedS: 60, notesArrivals: false }),
    row({ ...other, id: 7, s: 30, receivedS: 61 }),
    row({ ...one, id: 1, s: 20, receivedS: 50 }),
    row({ ...other, id: 8, s: 40, receivedS: 61 }),
    row({ ...one, id: 2, s: 5, receivedS: 55 }),
  ]
  await asPipeline(t.pool, ({ client }) => writeArrivals({ client, inserted } as unknown as Batch))
  const kept = await t.rows(
    `select company_id, device_ids, measured_at, received_from, received_to, number from reading_arrivals
     where company_id = any($1::int4[]) order by company_id`,
    [[one, other, silent].map(({ companyId }) => companyId)],
  )
  expect(kept).toEqual([
    {
      ...{ company_id: one.companyId, device_ids: [1, 1, 2], measured_at: [at(10), at(20), at(5)] },
      ...{ received_from: at(50), received_to: at(60), number: null },
    },
    {
      ...{ company_id: other.companyId, device_ids: [7, 8], measured_at: [at(30), at(40)] },
      ...{ received_from: at(61), received_to: at(61), number: null },
    },
  ])
})
