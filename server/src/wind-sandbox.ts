import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { takeStepsOfSandbox } from './core/alarms/trigger-sql.ts'
import { readSamplesOf } from './core/devices/sample-queries.ts'
import { beginStep, endStep, holdStep, readWinding } from './core/sandbox/clock-queries.ts'
import { tellStatesOfSandbox } from './features/webhooks/jobs.ts'
import { asLogin, asPipeline, type Tx } from './platform/db/transaction.ts'
import { atMost } from './platform/loop/at-most.ts'
import type { Job, Services } from './platform/services.ts'
import { sendSample } from './tend-samples.ts'

/** As often as the simulated devices measure: whatever falls due within a step is told at its end. */
const stepMs = 5 * 60_000

/** Steps that are taken at once, whoever's: those of a sandbox that winds for weeks come in turn with those of all others. */
const inTurn = atMost(2)

/** Winds the clock of a sandbox, step by step, to where somebody wants it. Killed in between, it goes on where it was. */
export const windSandbox: Job<{ companyId: number }> = {
  name: 'wind-sandbox',
  payload: z.strictObject({ companyId: z.number().int() }),
  retryLimit: 5,
  concurrency: 8,
  heartbeatS: 60,
  async run(services, { companyId }) {
    while (await inTurn(() => windOn(services, companyId))) {
      // Until it stands, or the sandbox ended.
    }
  },
}

/** Every minute: goes on with clocks whose winding was given up. */
export const resumeWinding: Job<Record<string, never>> = {
  name: 'resume-winding',
  payload: z.strictObject({}),
  retryLimit: 0,
  cron: '* * * * *',
  async run(services) {
    const winding = await asPipeline(services.pool, ({ tx }) => readWinding(tx))
    for (const companyId of winding)
      await asLogin(services.pool, ({ client }) => services.enqueue(client, windSandbox, { companyId }))
  },
}

/**
 * One step: the readings until then, what the clock makes of alarms, and what is due. False: the clock stands, or somebody else is within a step of it,
 * whose job goes on. Two steps at once would judge alarms before the readings are there.
 */
async function windOn(services: Services, companyId: number): Promise<boolean> {
  const stepId = randomUUID()
  const clock = await asPipeline(services.pool, ({ tx }) => beginStep(tx, companyId, stepId, stepMs))
  if (!clock) return false
  let isDone = false
  try {
    await step(services, companyId, stepId, clock.at)
    isDone = true
  } finally {
    await asPipeline(services.pool, ({ tx }) => endStep(tx, companyId, stepId, isDone))
  }
  return true
}

async function step(services: Services, companyId: number, stepId: string, at: Date): Promise<void> {
  const { pool, sweepSandbox } = services
  const within = (work: (tx: Tx) => Promise<unknown> = async () => {}) =>
    asPipeline(pool, async ({ tx }) => {
      if (!(await holdStep(tx, companyId, stepId)))
        throw new Error('another server goes on with the clock of a sandbox')
      await work(tx)
    })
  const samples = await asPipeline(pool, ({ tx }) => readSamplesOf(tx, companyId, services.clock.now()))
  const sent = await Promise.all(samples.filter(({ isOver }) => !isOver).map((one) => sendSample(services, one)))
  if (!sweepSandbox || sent.includes(false)) throw new Error('the readings of a sandbox were not taken in')
  await within()
  await sweepSandbox(companyId)
  await within((tx) => takeStepsOfSandbox(tx, companyId, at))
  await tellStatesOfSandbox(services, companyId, at)
}
