import { ScenarioKind } from '@isotherm/contract/sandbox-clock.ts'
import { samplePlace, sampleReadings } from '@isotherm/simulator/samples.ts'
import { type Begun, within } from '@isotherm/simulator/scenarios.ts'
import { z } from 'zod'
import { deleteSampleTriggers } from './core/alarms/sample-queries.ts'
import { deleteSampleLines } from './core/alerts/notification-lines.ts'
import { deleteSample, readSamples, type Sample } from './core/devices/sample-queries.ts'
import { removeHardware } from './core/provider/hardware.ts'
import { deleteSampleRecords, filesOfSampleRecords } from './core/records/sample-queries.ts'
import { readScenarios, type ScenarioRow } from './core/sandbox/clock-queries.ts'
import { sampleKindOf } from './domain/identifiers.ts'
import { deleteSampleComments } from './features/alarms/comment-queries.ts'
import { filesOfSampleReports } from './features/device-reports/queries.ts'
import { endSample } from './features/devices/sample-device.ts'
import { archiveSampleReports } from './features/reports/queries.ts'
import { forgetSample } from './pipeline/store/forget-sample.ts'
import { asLogin, asPipeline, inTenant } from './platform/db/transaction.ts'
import { openFiles } from './platform/files/files.ts'
import { loadGazetteer } from './platform/gazetteer/gazetteer.ts'
import { largestTown } from './platform/gazetteer/search-gazetteer.ts'
import type { Job, Services } from './platform/services.ts'

/** Every minute, and when one was added or removed: sends the readings of the sample devices, and deletes those that are over. */
export const tendSamples: Job<Record<string, never>> = {
  name: 'tend-samples',
  payload: z.strictObject({}),
  retryLimit: 2,
  cron: '* * * * *',
  async run(services) {
    const samples = await asPipeline(services.pool, ({ tx }) => readSamples(tx, services.clock.now()))
    for (const sample of samples)
      await (sample.isOver ? remove(services, sample) : sendSample(services, sample)).catch((err: unknown) =>
        // The others must not wait for it; it is tried again within a minute.
        services.log.warn({ err, device: sample.id }, 'a sample device could not be tended'),
      )
  },
}

const readingsAtOnce = 500

/**
 * Sends what the device has measured since, in a sandbox until what its clock says, and that it did what it was asked, by the path of every
 * reading. False where it was not taken.
 */
export async function sendSample({ pool, takeIn, clock }: Services, sample: Sample): Promise<boolean> {
  const { companyId, clockAt } = sample
  if (!takeIn) return false
  const now = clockAt ?? clock.now()
  const begun = clockAt ? await asPipeline(pool, ({ tx }) => readScenarios(tx, companyId)) : []
  const readings = sample.isSending ? await readingsOf(sample, now, begun.map(begunOf)) : []
  const acks = sample.commandIds.map((commandId) => ({ commandId, at: now.toISOString(), ok: true }))
  if (readings.length + acks.length === 0) return true
  for (let first = 0; first === 0 || first < readings.length; first += readingsAtOnce) {
    const some = readings.slice(first, first + readingsAtOnce)
    const isTaken = await takeIn(sample.imei, { readings: some, acks: first === 0 ? acks : [] }, clockAt ?? undefined)
    if (!isTaken) return false
  }
  return true
}

const begunOf = ({ kind, began_at }: ScenarioRow): Begun => ({ kind: ScenarioKind.parse(kind), at: began_at })

/** Where the device stands: in the largest town of the company's country. */
async function readingsOf({ since, intervalS, country, imei, clockAt }: Sample, now: Date, begun: readonly Begun[]) {
  const town =
    country &&
    (await loadGazetteer()
      .then((towns) => largestTown(towns, country))
      .catch(() => undefined))
  const kind = sampleKindOf(imei)
  const place = town || (clockAt ? samplePlace : null)
  return sampleReadings(kind, { after: since, until: now }, intervalS, place)
    .map((reading) => within(begun, kind, reading, place))
    .flatMap(({ reading, sentAt }) => (sentAt <= now.getTime() ? [reading] : []))
}

/** Deletes a sample device with all that hangs on it; the audit trail stays. Killed in between, it begins anew. */
async function remove(services: Services, sample: Sample): Promise<void> {
  const { pool, clock, config, bus } = services
  if (sample.isInUse) await endSample(services, sample)
  const files = await asPipeline(pool, async ({ tx }) => [
    ...(await filesOfSampleRecords(tx, sample)),
    ...(await filesOfSampleReports(tx, sample.companyId, sample.id)),
  ])
  await inTenant(pool, sample.companyId, ({ tx }) =>
    archiveSampleReports({ tx, companyId: sample.companyId }, sample.id, clock.now()),
  )
  await asPipeline(pool, async ({ tx, client }) => {
    await deleteSampleRecords(tx, sample)
    await deleteSampleComments(tx, sample)
    await forgetSample(client, sample)
    await deleteSampleLines(tx, sample)
    await deleteSampleTriggers(tx, sample, clock.now())
    await deleteSample(tx, sample)
  })
  for (const key of files) await openFiles(config).remove(key)
  await asLogin(pool, ({ tx }) => removeHardware(tx, sample.imei))
  const { companyId, id, visibility } = sample
  const data = { deviceId: String(id), change: 'settings' } as const
  bus.publish({ companyId, kind: 'device', deviceId: id, private: visibility === 'private', data })
}
