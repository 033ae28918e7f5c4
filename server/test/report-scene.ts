import { limitPresets } from '@isotherm/contract/device-limits.ts'
import type { Report, ReportRun } from '@isotherm/contract/reports.ts'
import { expect } from 'vitest'
import { aDevice } from './device-factory.ts'
import { buildUser, type TestUser } from './factories.ts'
import type { TestApp } from './harness.ts'
import type { TestPipeline } from './test-pipeline.ts'

const minute = 60_000
const day = 24 * 60 * minute

/** The input of a daily report of a device. */
export const wantedReport = (device: { id: number }, more: object = {}) => ({
  name: 'Cold room, daily',
  cadence: 'daily',
  timezone: 'UTC',
  deviceIds: [String(device.id)],
  ...more,
})

/** Steps that tests of scheduled reports share. `stage` is called when a step runs. */
export function reportScene(stage: () => { t: TestApp; pipeline: TestPipeline }) {
  /** An Admin with a device whose yesterday (UTC) was warm from 10:00 to 11:00; limits 2 to 8 degrees. */
  async function own(given: { visibility?: 'private' | 'public'; name?: string } = {}) {
    const { t, pipeline } = stage()
    const admin = await buildUser(t)
    const validFrom = new Date(t.clock.now().getTime() - 60 * day)
    const limits = limitPresets.refrigerated
    const device = await aDevice(t, { companyId: admin.companyId, intervalS: 1800, validFrom, limits, ...given })
    const today = Math.floor(t.clock.now().getTime() / day) * day
    await pipeline.send(
      device,
      Array.from({ length: 48 }, (_, n) => ({
        at: new Date(today - day + n * 30 * minute),
        temperatureC: n === 20 || n === 21 ? 9.5 : 5,
      })),
    )
    return { admin, device, today }
  }

  const add = (user: TestUser, body: object) => stage().t.call('POST', '/report', { token: user.token, body })
  async function added(user: TestUser, body: object): Promise<Report> {
    const { status, body: answer } = await add(user, body)
    expect(status, JSON.stringify(answer)).toBe(200)
    return answer.payload
  }
  const runsOf = async (user: TestUser, id: string): Promise<ReportRun[]> =>
    (await stage().t.call('GET', `/report/${id}/runs`, { token: user.token })).body.payload.data

  /** Runs a report by hand and has it built. */
  async function run(user: TestUser, id: string): Promise<ReportRun> {
    const { t } = stage()
    const { status, body } = await t.call('POST', `/report/${id}/run`, { token: user.token, body: {} })
    expect(status, JSON.stringify(body)).toBe(200)
    await t.runJobs()
    const [latest] = await runsOf(user, id)
    if (!latest) throw new Error('no run')
    return latest
  }

  async function load(url: string | null | undefined) {
    const answer = await stage().t.app.inject({ url: new URL(url ?? '').pathname })
    return { status: answer.statusCode, file: answer.rawPayload, headers: answer.headers }
  }
  return { own, add, added, runsOf, run, load }
}
