import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { createApp, jobs } from './app.ts'
import { placeNameAt } from './features/devices/places.ts'
import { ingestByMqtt } from './pipeline/ingest/mqtt.ts'
import { outwardChannels } from './pipeline/notify/deliver.ts'
import { measureNotifier } from './pipeline/notify/measure.ts'
import { Notifier } from './pipeline/notify/notifier.ts'
import { sendersOf } from './pipeline/notify/senders.ts'
import { Road } from './pipeline/road.ts'
import { Refusals } from './platform/audit/refusals.ts'
import { localBus } from './platform/bus/bus.ts'
import { systemClock } from './platform/clock/clock.ts'
import type { Config } from './platform/config/config.ts'
import { installationSecret } from './platform/config/secret.ts'
import { signingKeys } from './platform/config/signing-keys.ts'
import { migrate } from './platform/db/migrate.ts'
import { openDatabase } from './platform/db/open-database.ts'
import { createPool } from './platform/db/pool.ts'
import { FailureLimit } from './platform/http/failure-limit.ts'
import { createMetrics, serveMetrics } from './platform/http/metrics.ts'
import { type Jobs, startJobs } from './platform/jobs/jobs.ts'
import { createLog } from './platform/log/log.ts'
import { createMailer } from './platform/mail/mailer.ts'
import { signingSecret } from './platform/messaging/webhook-key.ts'
import type { Services } from './platform/services.ts'

export interface Running {
  services: Services
  app: FastifyInstance
  /** Where it really listens (port 0 picks a free one). */
  url: string
  /** Of the embedded broker; null where there is none. */
  mqttPort: number | null
  /** Answers what is under way, then stops everything that was started, in reverse. */
  stop(): Promise<void>
}

/** What was only counted of refusals is told every minute, and at the end. */
function flushing({ refusals, clock, log }: Services): () => Promise<void> {
  const flush = (before: Date) => refusals.flush(before).catch((err) => log.warn({ err }, 'refusals were not recorded'))
  const timer = setInterval(() => void flush(clock.now()), 60_000)
  return async () => {
    clearInterval(timer)
    await flush(new Date(8.64e15))
  }
}

/** Brings everything up on one port; whatever was started is stopped again when a later part fails. */
export async function start(config: Config): Promise<Running> {
  const log = createLog(config.logLevel)
  const stops: (() => Promise<void>)[] = []
  const stop = async () => {
    for (const end of stops.splice(0).reverse()) await end()
  }
  try {
    const { url: databaseUrl, stop: stopDatabase } = await openDatabase(config, log)
    stops.push(stopDatabase)
    await migrate(databaseUrl, (text) => log.info(text))
    const pool = createPool(databaseUrl, config.databasePool, (error) =>
      log.warn({ err: error }, 'database connection'),
    )
    stops.push(() => pool.end())
    // Made, or found damaged, now rather than at the first checkpoint.
    await signingKeys(config.dataDir)
    let runner: Jobs | undefined
    const services: Services = {
      config,
      pool,
      clock: systemClock,
      log,
      bus: localBus(),
      mailer: createMailer({ url: config.smtpUrl, from: config.mailFrom, outbox: join(config.dataDir, 'outbox'), log }),
      secret: await installationSecret(config.dataDir),
      refusals: new Refusals(pool),
      claimFailures: new FailureLimit(config.claimFailures),
      metrics: createMetrics({ ofProcess: true }),
      checks: {},
      enqueue: (client, job, payload) => {
        if (!runner) throw new Error('jobs are not running')
        return runner.enqueue(client, job, payload)
      },
    }
    stops.push(flushing(services))
    runner = await startJobs(databaseUrl, services, jobs)
    stops.push(() => runner.stop())
    const road = new Road({ ...services, databaseUrl, window: config.ingest })
    await road.start()
    stops.push(() => road.stop())
    services.checks.road = () => road.isReady
    const notifier = new Notifier(
      {
        ...services,
        now: () => services.clock.now(),
        count: measureNotifier(services.metrics, pool, outwardChannels, () => services.clock.now()),
        placeNameAt,
        publicUrl: config.publicUrl,
        senders: sendersOf({
          pool,
          mailer: services.mailer,
          outbox: join(config.dataDir, 'outbox'),
          publicUrl: config.publicUrl,
          webhookSecretOf: (companyId) => signingSecret(pool, companyId),
          allowPrivate: config.webhookAllowPrivate,
          accounts: config.messaging,
          log,
        }),
      },
      databaseUrl,
    )
    await notifier.start()
    stops.push(() => notifier.stop())
    const app = await createApp(services, road)
    stops.push(() => app.close())
    let mqttPort: number | null = null
    if (config.mqttPort !== null) {
      const broker = await ingestByMqtt(road, databaseUrl, config.host, config.mqttPort)
      stops.push(broker.close)
      services.checks.mqtt = broker.isListening
      mqttPort = broker.port
      log.info(`MQTT is at port ${broker.port}`)
    }
    if (config.metricsPort !== null) {
      const metrics = await serveMetrics(services.metrics, config.metricsPort)
      stops.push(metrics.close)
    }
    const url = await app.listen({ port: config.port, host: config.host })
    log.info(`Isotherm is at ${config.publicUrl}`)
    return { services, app, url, mqttPort, stop }
  } catch (error) {
    await stop()
    throw error
  }
}
