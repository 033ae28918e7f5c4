import { apiBase } from '@isotherm/contract/call.ts'
import type { IngestAnswer } from '@isotherm/contract/ingest.ts'
import { ingestByHttp } from '../src/pipeline/ingest/http.ts'
import { takeIn } from '../src/pipeline/ingest/take-in.ts'
import { Pipeline } from '../src/pipeline/pipeline.ts'
import { createMetrics } from '../src/platform/http/metrics.ts'
import { createServer } from '../src/platform/http/server.ts'
import type { TestApp } from './harness.ts'
import type { TestPipeline, TestTracker } from './test-pipeline.ts'

/** The real pipeline, HTTP ingest and all, on a test app's database, clock and bus. */
export async function withPipeline(test: TestApp): Promise<TestPipeline> {
  const { services, pool } = test
  const databaseUrl = String(pool.options.connectionString)
  const pipeline = new Pipeline({
    ...{ ...services, databaseUrl, window: { maxAgeMonths: 24, maxAheadHours: 24 } },
    // However busy the machine is, a test waits.
    answerWithinMs: 50_000,
  })
  await pipeline.start()
  const app = await createServer({ ...services, metrics: createMetrics({ ofProcess: false }) })
  await ingestByHttp(app, pipeline)
  await app.ready()
  const post = async ({ imei, secret }: TestTracker, body: object): Promise<IngestAnswer> => {
    const answer = await app.inject({
      method: 'POST',
      url: `${apiBase}/ingest/${imei}`,
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      payload: JSON.stringify(body),
    })
    if (answer.statusCode !== 200) throw new Error(`ingest answered ${answer.statusCode}: ${answer.body}`)
    return answer.json().payload
  }
  const running: TestPipeline = {
    send: (device, readings) =>
      post(device, { readings: readings.map(({ at, ...rest }) => ({ at: at.toISOString(), ...rest })) }),
    ack: (device, acks) => post(device, { acks }),
    sweepAlarms: () => pipeline.sweepAlarms(true),
    async close() {
      await app.close()
      await pipeline.stop()
    },
  }
  test.pipeline = running
  services.takeIn = (...said) => takeIn(pipeline, ...said)
  services.sweepSandbox = (companyId) => pipeline.sweepSandbox(companyId)
  return running
}
