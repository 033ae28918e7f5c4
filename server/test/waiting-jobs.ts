import type { Pool } from '../src/platform/db/pool.ts'
import type { Job, Services } from '../src/platform/services.ts'

/** Stands in for pg-boss: jobs wait in a table of the same transaction, and run when the test says so. */
export async function waitingJobs(pool: Pool, jobs: Job<object>[]) {
  await pool.query('create table waiting_jobs (id int8 generated always as identity, name text, payload jsonb)')
  const enqueue: Services['enqueue'] = async (client, job, payload) => {
    if (!jobs.some(({ name }) => name === job.name)) throw new Error(`job ${job.name} is not listed in app.ts`)
    await client.query('insert into waiting_jobs (name, payload) values ($1, $2)', [job.name, JSON.stringify(payload)])
  }
  const next = () =>
    pool.query<{ name: string; payload: unknown }>(
      'delete from waiting_jobs where id = (select min(id) from waiting_jobs) returning name, payload',
    )
  return {
    enqueue,
    async run(services: Services) {
      for (let { rows } = await next(); rows[0]; { rows } = await next()) {
        const { name, payload } = rows[0]
        const job = jobs.find((each) => each.name === name)
        if (!job) throw new Error(`no job ${name}`)
        await job.run(services, job.payload.parse(payload))
      }
    },
  }
}
