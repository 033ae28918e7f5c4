import { type JobWithMetadata, PgBoss, type WorkOptions } from 'pg-boss'
import { Counter } from 'prom-client'
import { connectionOf } from '../db/connection.ts'
import type { Client } from '../db/pool.ts'
import type { Job, Services } from '../services.ts'
import { fairPriority } from './fair-priority.ts'

export interface Jobs {
  /** Enqueues in the caller's transaction, which must be in the login role at that moment. */
  enqueue<P>(client: Client, job: Job<P>, payload: P): Promise<void>
  /** Lets what is running finish, for 10 s at most. */
  stop(): Promise<void>
}

/** Starts the job runner on PostgreSQL (schema `pgboss`) with every job the app lists. */
export async function startJobs(databaseUrl: string, services: Services, jobs: Job<object>[]): Promise<Jobs> {
  const boss = new PgBoss({
    ...{ ...connectionOf(databaseUrl), max: 3, application_name: 'isotherm-jobs' },
    useListenNotify: true,
  })
  boss.on('error', (error) => services.log.warn({ err: error }, 'job queue'))
  await boss.start()
  let isStopping = false
  givenUp(services)
  for (const job of jobs) await listen(boss, services, job, () => isStopping)
  await forgetSchedules(boss, jobs)
  return {
    async enqueue(client, job, payload) {
      const db = { executeSql: (text: string, values?: unknown[]) => client.query(text, values) }
      const turn = turnOf(job, payload)
      const priority = await fairPriority(client, job.name, turn, job.isLast?.(payload) ?? false)
      const { atMost } = job
      await boss.send(job.name, payload as object, {
        db,
        priority,
        ...(turn === undefined ? {} : { group: { id: turn } }),
        ...(atMost
          ? { singletonKey: atMost.keyOf(payload), singletonSeconds: atMost.everyS, singletonNextSlot: true }
          : {}),
      })
    },
    stop() {
      isStopping = true
      return boss.stop({ graceful: true, timeout: 10_000 })
    },
  }
}

type Tried = Pick<JobWithMetadata, 'id' | 'retryCount' | 'retryLimit'> & { data: unknown }

/** Whose turn a job takes; undefined where nobody in particular asked for it. */
function turnOf<P>(job: Job<P>, payload: P): string | undefined {
  if (job.turnOf) return job.turnOf(payload)
  const { companyId } = payload as { companyId?: unknown }
  return companyId === undefined ? undefined : String(companyId)
}

async function listen(boss: PgBoss, services: Services, job: Job<object>, isStopping: () => boolean) {
  const { batch = 1, concurrency = 1 } = job
  const isAlone = concurrency === 1
  const policy = {
    retryLimit: job.retryLimit,
    retryBackoff: true,
    retryDelay: 5,
    retryDelayMax: 3600,
    deleteAfterSeconds: 7 * 86_400,
    // The commit of a new job wakes its workers: fifty idle queues need not be looked at twice a second.
    notify: true,
    ...(job.heartbeatS === undefined ? {} : { heartbeatSeconds: job.heartbeatS }),
  }
  await boss.createQueue(job.name, policy)
  // An earlier version may have made the queue with another policy.
  await boss.updateQueue(job.name, policy)
  const options = {
    pollingIntervalSeconds: 0.5,
    // For what becomes due later: a second try, a job that waits for its slot. Of several workers none can be woken for the rest of a backlog.
    notifyPollingIntervalSeconds: isAlone ? 5 : 2,
    batchSize: batch,
    burstWhenBatchFull: batch > 1,
    localConcurrency: concurrency,
    ...(concurrency > 1 ? { localGroupConcurrency: 1 } : {}),
    perJobResults: true,
    includeMetadata: true,
  } as const satisfies WorkOptions
  const runOne = async ({ id, data, retryCount, retryLimit }: Tried) => {
    try {
      await job.run(services, job.payload.parse(data))
      return { id, status: 'completed' as const }
    } catch (error) {
      const about = { err: error, job: job.name, id }
      if (retryCount < retryLimit) services.log.warn(about, 'a job failed, and is tried again')
      else if (job.cron) services.log.warn(about, 'a job failed, and is begun anew when its time comes')
      else {
        services.log.error(about, 'a job was given up')
        givenUp(services).inc({ job: job.name })
      }
      return {
        id,
        status: 'failed' as const,
        output: { message: error instanceof Error ? error.message : String(error) },
      }
    }
  }
  const worker: string = await boss.work(job.name, options, async (batched) => {
    // There may be more.
    if (isAlone) boss.notifyWorker(worker)
    const results = []
    // Jobs that are fetched together come in no order.
    const jobs = batched.toSorted((a, b) => b.priority - a.priority)
    // One after the other: they share the pool with the calls of people. Those left out are tried again.
    for (const each of jobs) if (!isStopping()) results.push(await runOne(each))
    return results
  })
  if (job.cron) await boss.schedule(job.name, job.cron, {}, { tz: 'UTC' })
}

/** Several runners of one server, as in tests, count together. */
const givenUp = ({ metrics }: Services): Counter<'job'> =>
  (metrics.getSingleMetric('jobs_given_up_total') as Counter<'job'> | undefined) ??
  new Counter({
    name: 'jobs_given_up_total',
    help: 'Jobs that failed as often as they may, by queue: mails that nobody took for a day, mostly',
    labelNames: ['job'] as const,
    registers: [metrics],
  })

/** Removes schedules of an earlier version that this one does not have: their jobs would wait in the queue for ever. */
async function forgetSchedules(boss: PgBoss, jobs: Job<object>[]) {
  const wanted = new Set(jobs.filter((job) => job.cron).map((job) => job.name))
  for (const { name } of await boss.getSchedules()) if (!wanted.has(name)) await boss.unschedule(name)
}
