import type { Figures, RecordStatement } from '@isotherm/contract/proofs.ts'
import type { MeasureStats } from '@isotherm/contract/stats.ts'
import type { Context } from '../../platform/context.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import { findRecord } from './policy.ts'
import { recordDetails, recordStats, type StatsSource } from './record-reads.ts'

type Facts = Pick<RecordStatement, 'record' | 'verdict' | 'devices' | 'contentSha256' | 'signatures'>

/**
 * The facts of a record that is over, for a proof: only for somebody who sees all of its devices, because a proof of a part would pass for
 * one of the whole. Throws NOT_FOUND, RECORD_NOT_ENDED or RECORD_PARTLY_HIDDEN.
 */
export async function factsOfRecord(ctx: Context, stats: StatsSource, id: string): Promise<Facts> {
  const row = await findRecord(ctx, id)
  const details = await recordDetails(ctx, id)
  if (details.state !== 'ended') throw new AppError('RECORD_NOT_ENDED')
  if (details.contentSha256 === null) throw new AppError('RECORD_PARTLY_HIDDEN')
  const { verdict, devices } = await recordStats(ctx, stats, row)
  const figures = new Map(devices.map((each) => [each.deviceId, each]))
  const { name, lot } = details
  return {
    record: { id, name, lot, startAt: details.from, endAt: details.to },
    verdict,
    devices: details.devices.flatMap((device) => {
      const found = figures.get(device.id)
      const hardware = device.hardware.map(({ imei, probe }) => `${imei}/${probe}`)
      const { id, name, joinedAt, leftAt } = device
      const isPart = joinedAt !== null || leftAt !== null
      return found
        ? [
            {
              ...{ id, name, hardware, ...(isPart && { period: found.period }) },
              ...{ temperature: figuresOf(found.temperature), humidity: figuresOf(found.humidity) },
            },
          ]
        : []
    }),
    contentSha256: details.contentSha256,
    signatures: details.signatures.map(({ meaning, signerName, signedAt, sha256, changed }) => ({
      ...{ meaning, signerName, signedAt, sha256 },
      stands: changed.length === 0,
    })),
  }
}

const figuresOf = (stats: MeasureStats): Figures => ({
  verdict: stats.verdict,
  count: stats.count,
  coveragePct: stats.coveragePct,
  min: stats.min?.value ?? null,
  max: stats.max?.value ?? null,
  average: stats.average,
  mktC: stats.mkt?.valueC ?? null,
  aboveMs: stats.aboveMs,
  belowMs: stats.belowMs,
  excursions: stats.excursions.count,
})
