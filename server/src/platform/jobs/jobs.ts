import { PgBoss } from 'pg-boss'
import type { z } from 'zod'
import type { Client } from '../db/pool.ts'
import type { Services } from '../services.ts'

/** A unit of work that survives a restart. `run` must be idempotent: it may be delivered more than once. */
export interface Job<P> {
  name: string
  payload: z.ZodType<P>
  retryLimit: number
  /** Five-field cron in UTC, for jobs that run by themselves (their payload is `{}`). */
  cron?: string
  run(services: Services, payload: P): Promise<void>
}

export interface Jobs {
  /** Enqueues in the caller's transaction, which must be in the login role at that moment. */
  enqueue<P>(client: Client, job: Job<P>, payload: P): Promise<void>
  /** Lets what is running finish, for 10 s at most. */
  stop(): Promise<void>
}

/** Starts the job runner on PostgreSQL (schema `pgboss`) with every job the app lists. */
export async function startJobs(databaseUrl: string, services: Services, jobs: Job<never>[]): Promise<Jobs> {
  const boss = new PgBoss({ connectionString: databaseUrl, max: 3, application_name: 'isotherm-jobs' })
  boss.on('error', (error) => services.log.warn({ err: error }, 'job queue'))
  await boss.start()
  for (const job of jobs) await listen(boss, services, job)
  await forgetSchedules(boss, jobs)
  return {
    async enqueue(client, job, payload) {
      const db = { executeSql: (text: string, values?: unknown[]) => client.query(text, values) }
      await boss.send(job.name, payload as object, { db })
    },
    stop: () => boss.stop({ graceful: true, timeout: 10_000 }),
  }
}

async function listen(boss: PgBoss, services: Services, job: Job<never>) {
  const policy = {
    retryLimit: job.retryLimit,
    retryBackoff: true,
    retryDelay: 5,
    retryDelayMax: 3600,
    deleteAfterSeconds: 7 * 86_400,
  }
  await boss.createQueue(job.name, policy)
  // An earlier version may have made the queue with another policy.
  await boss.updateQueue(job.name, policy)
  await boss.work(job.name, { pollingIntervalSeconds: 0.5 }, async (batch) => {
    for (const { id, data } of batch)
      try {
        await job.run(services, job.payload.parse(data))
      } catch (error) {
        services.log.warn({ err: error, job: job.name, id }, 'a job failed, and is tried again if it may be')
        throw error
      }
  })
  if (job.cron) await boss.schedule(job.name, job.cron, {}, { tz: 'UTC' })
}

/** What an earlier version ran by itself and this one does not would wait in its queue for ever. */
async function forgetSchedules(boss: PgBoss, jobs: Job<never>[]) {
  const wanted = new Set(jobs.filter((job) => job.cron).map((job) => job.name))
  for (const { name } of await boss.getSchedules()) if (!wanted.has(name)) await boss.unschedule(name)
}
