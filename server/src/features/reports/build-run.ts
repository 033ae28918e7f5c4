import { randomBytes } from 'node:crypto'
import { readLogo } from '../../core/company/logo.ts'
import type { DeviceReader } from '../../core/devices/device-reader.ts'
import { onBehalf } from '../../core/people/on-behalf.ts'
import { isQuotaFull } from '../../core/quotas/quotas.ts'
import { inTenant } from '../../platform/db/transaction.ts'
import { openFiles } from '../../platform/files/files.ts'
import type { Job, Services } from '../../platform/services.ts'
import { seesContents } from '../../reporting/contents.ts'
import { startWriter } from '../../reporting/writer-process.ts'
import { failRun } from './fail-run.ts'
import { finishRun } from './finish-run.ts'
import { detailOf, orderOf, overviewOf, Refused, settingsOf } from './gather.ts'
import { RunJob, type RunRow } from './run-job.ts'
import { changeRun, claimRun, type RunChange } from './run-queries.ts'
import type { DeviceDetail, Output, RunOrder, Written } from './writer/order.ts'
import { outputsOf } from './writer/outputs.ts'

export const maxAttempts = 3
const beatMs = 30_000
const runWriter = new URL('./writer/write-run.ts', import.meta.url)
const longestMs = 60 * 60_000

/** Builds a run's files in a process of their own and has them mailed. Told the same again, it does nothing. */
export const buildRun = (reader: DeviceReader): Job<RunJob> => ({
  name: 'report-run',
  payload: RunJob,
  retryLimit: maxAttempts - 1,
  concurrency: 2,
  async run(services, job) {
    const run = await inTenant(services.pool, job.companyId, ({ tx }) => claimRun(tx, job, services.clock.now()))
    if (!run) return
    const set = (values: RunChange) =>
      inTenant(services.pool, job.companyId, ({ tx }) =>
        changeRun(tx, job, run.attempts, { ...values, touched_at: services.clock.now() }),
      )
    const beat = setInterval(() => void set({}).catch(() => {}), beatMs)
    try {
      await build(services, reader, run, (progress) => void set({ progress }).catch(() => {}))
    } catch (error) {
      if (error instanceof Refused) return await failRun(services, run, error.failure)
      if (run.attempts >= maxAttempts) await failRun(services, run, 'broken')
      else await set({ state: 'waiting' })
      throw error
    } finally {
      clearInterval(beat)
    }
  },
})

/** Nobody waits for an answer here: the run fails, and whose report it is gets a mail. */
async function refuseNoRoom(services: Services, { company_id: companyId }: RunRow) {
  const isFull = await inTenant(services.pool, companyId, ({ tx }) =>
    isQuotaFull({ tx, companyId }, services.config.quotas, 'fileMb', services.clock.now()),
  )
  if (isFull || (await services.disk.isLow())) throw new Refused('storageFull')
}

async function build(services: Services, reader: DeviceReader, run: RunRow, onProgress: (percent: number) => void) {
  const settings = await settingsOf(services, run)
  await refuseNoRoom(services, run)
  const logo = await readLogo(services, run.company_id)
  const files = openFiles(services.config)
  const outputs: Output[] = []
  const begun: Awaited<ReturnType<typeof files.begin>>[] = []
  for (const wanted of outputsOf(settings)) {
    const file = await files.begin('reports', wanted.format)
    begun.push(file)
    outputs.push({ ...wanted, path: file.path, key: randomBytes(16).toString('hex') })
  }
  let writer: ReturnType<typeof startWriter<RunOrder, DeviceDetail | null, Written>> | undefined
  let order: RunOrder | undefined
  try {
    const who = { companyId: run.company_id, userId: settings.runsAs }
    // The snapshot lives as long as this transaction: until everything is gathered, by when the writer reads by it, too.
    await onBehalf(
      services,
      who,
      async (ctx, snapshot) => {
        if (!ctx.can('reports.addOrEdit') || !seesContents(ctx, settings.contents)) return
        const devices = await overviewOf(ctx, reader, run, (share) => onProgress(Math.round(share * 30)))
        order = orderOf(ctx, settings, run, { devices, outputs, logo })
        const started = { writer: runWriter, order, snapshot, longestMs }
        writer = startWriter(ctx, started, (share) => onProgress(30 + Math.round(share * 69)))
        for (const device of devices) await writer.give(await detailOf(ctx, reader, order, device))
        await writer.give(null)
      },
      { mayUseReplica: run.attempts === 1 },
    )
    if (!writer || !order) throw new Refused('notAllowed')
    const written = await writer.written
    const kept = []
    for (const [index, file] of begun.entries()) kept.push({ fileKey: file.key, ...(await file.keep()), place: index })
    await finishRun(services, run, settings, order, written, kept)
  } catch (error) {
    writer?.stop()
    for (const file of begun) {
      await file.discard()
      await files.remove(file.key)
    }
    throw error
  }
}
