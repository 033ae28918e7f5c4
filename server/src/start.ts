import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { createApp, jobs } from './app.ts'
import { signingSecret } from './core/alerts/webhook-key.ts'
import { pauseAfterRestore } from './core/billing/pause-after-restore.ts'
import { settleAll } from './core/devices/settle-all.ts'
import { statusPages } from './core/operator/status.ts'
import { people } from './core/people/people.ts'
import { loadPorts } from './core/ports/load-ports.ts'
import { WebhookSender } from './features/webhooks/webhook-sender.ts'
import { keepBackups } from './keep-backups.ts'
import { settleLaneCount } from './pipeline/cluster/lane-queries.ts'
import { ingestByMqtt } from './pipeline/ingest/mqtt.ts'
import { takeIn } from './pipeline/ingest/take-in.ts'
import { outwardChannels } from './pipeline/notify/deliver.ts'
import { measureNotifier } from './pipeline/notify/measure.ts'
import { Notifier } from './pipeline/notify/notifier.ts'
import { sendersOf } from './pipeline/notify/senders.ts'
import { Pipeline } from './pipeline/pipeline.ts'
import { noteKnown } from './platform/audit/note-known.ts'
import { Refusals } from './platform/audit/refusals.ts'
import { SignedLedger } from './platform/audit/signed-ledger.ts'
import { openBus } from './platform/bus/open-bus.ts'
import { systemClock } from './platform/clock/clock.ts'
import { DatabaseClock } from './platform/clock/database-clock.ts'
import { type Cluster, joinCluster } from './platform/cluster/cluster.ts'
import type { Config } from './platform/config/config.ts'
import { installationSecret } from './platform/config/secret.ts'
import { signingKeys } from './platform/config/signing-keys.ts'
import { warningsOf } from './platform/config/warnings.ts'
import { bareLoginFault } from './platform/db/bare-login.ts'
import { askTime } from './platform/db/clock-queries.ts'
import { watchHosts } from './platform/db/connection.ts'
import { migrate } from './platform/db/migrate.ts'
import { openDatabase } from './platform/db/open-database.ts'
import { createPool } from './platform/db/pool.ts'
import { Replica } from './platform/db/replica.ts'
import { Shares } from './platform/db/shares.ts'
import { StandbyWatch } from './platform/db/standby-watch.ts'
import { openFiles } from './platform/files/files.ts'
import { DiskWatch, spaceOf } from './platform/files/free-disk.ts'
import { objectStore } from './platform/files/object-store.ts'
import { reportStore } from './platform/files/store-metrics.ts'
import { nearestTownName } from './platform/gazetteer/nearest-town.ts'
import { Buckets } from './platform/http/buckets.ts'
import { DeniedObjects } from './platform/http/denied-objects.ts'
import { FailureLimit } from './platform/http/failure-limit.ts'
import { readinessOf } from './platform/http/health.ts'
import { createMetrics, serveMetrics } from './platform/http/metrics.ts'
import { StrangersBodies } from './platform/http/strangers-bodies.ts'
import { insurerOf } from './platform/insurers/insurers.ts'
import { type Jobs, startJobs } from './platform/jobs/jobs.ts'
import { createLog } from './platform/log/log.ts'
import { Pace } from './platform/loop/pace.ts'
import { createMailer } from './platform/mail/mailer.ts'
import { paymentProviders } from './platform/payments/providers.ts'
import type { Services } from './platform/services.ts'
import { shareFailures } from './share-failures.ts'
import { shareWithNodes } from './share-with-nodes.ts'

export interface Running {
  services: Services
  app: FastifyInstance
  /** Where it really listens (port 0 picks a free one). */
  url: string
  /** The port of the embedded broker; null where there is none. */
  mqttPort: number | null
  /** Resolves where this server must not go on: others that run have another number of lanes. */
  refused: Promise<Error>
  /** Answers what is under way, then stops everything that was started, in reverse. */
  stop(): Promise<void>
}

/** On one node; the most that it makes use of. */
const ownLanes = 2
/** From the first start on several nodes: two for each of six. More lanes make smaller batches, and each has two connections to the database. */
const clusterLanes = 12

/** So long a server keeps its copy of a file that the bucket has. */
const copyMs = 86_400_000

/** Counted refusals are reported every minute, and at the end. */
function flushing({ refusals, clock, log }: Services): () => Promise<void> {
  const flush = (before: Date) => refusals.flush(before).catch((err) => log.warn({ err }, 'refusals were not recorded'))
  const timer = setInterval(() => void flush(clock.now()), 60_000)
  return async () => {
    clearInterval(timer)
    await flush(new Date(8.64e15))
  }
}

/** Every hour: removes the copies of a bucket's files that this server made and nobody needs any more. */
function clearingCopies({ config, clock, log }: Services): () => Promise<void> {
  if (!config.fileStore) return async () => {}
  const clear = () =>
    openFiles(config)
      .forgetUnfinished(new Date(clock.now().getTime() - copyMs))
      .catch((err: unknown) => log.warn({ err }, 'copies of files were not removed'))
  const timer = setInterval(clear, 3_600_000)
  return async () => clearInterval(timer)
}

/** Looked at every minute, so that the log tells of a full disk also while nobody uploads. */
function watchingDisk({ disk, metrics, log, config }: Services): () => Promise<void> {
  disk.report(metrics)
  if (config.fileStore) reportStore(metrics, objectStore(config.fileStore))
  const look = () => disk.isLow().catch((err: unknown) => log.warn({ err }, 'the disk could not be measured'))
  const timer = setInterval(() => void look(), 60_000)
  void look()
  return async () => clearInterval(timer)
}

/** Brings everything up on one port; whatever was started is stopped again when a later part fails. */
export async function start(config: Config): Promise<Running> {
  const log = createLog(config.logLevel)
  for (const warning of warningsOf(config)) log.warn(warning)
  const stops: (() => Promise<void>)[] = []
  let cluster: Cluster | null = null
  const stop = async () => {
    await cluster?.drain()
    for (const end of stops.splice(0).reverse()) await end()
  }
  try {
    const { url: databaseUrl, backupUrl, stop: stopDatabase } = await openDatabase(config, log)
    stops.push(stopDatabase)
    stops.push(watchHosts(databaseUrl, log))
    await migrate(databaseUrl, (text) => log.info(text))
    const onLost = (error: Error) => log.warn({ err: error }, 'database connection')
    const pool = createPool(databaseUrl, config.databasePool, onLost)
    stops.push(() => pool.end())
    const perCompany = Math.ceil(config.databasePool / 2)
    const lowPool = createPool(databaseUrl, perCompany, onLost, { givesWay: true })
    stops.push(() => lowPool.end())
    const replica = config.replicaUrl ? new Replica(pool, config.replicaUrl, config.databasePool, log) : undefined
    if (replica) stops.push(() => replica.close())
    const bareLogin = await bareLoginFault(pool)
    if (bareLogin) log.warn(bareLogin)
    // The embedded PostgreSQL goes by the clock of this machine.
    const databaseClock = config.databaseUrl ? new DatabaseClock({ ask: askTime(pool), log }) : undefined
    if (databaseClock) {
      await databaseClock.start()
      stops.push(() => databaseClock.stop())
    }
    const clock = databaseClock ?? systemClock
    const lanes = await settleLaneCount(pool, config.lanes, config.cluster ? clusterLanes : ownLanes)
    if (config.cluster) {
      const secret = await installationSecret(config.dataDir)
      const auditKeys = async () => (await signingKeys(config.dataDir)).known.map(({ id }) => id)
      cluster = await joinCluster(config.cluster, databaseUrl, { secret, auditKeys }, log, databaseClock)
      stops.push(cluster.leave)
    }
    // Made, or found damaged, now rather than at the first checkpoint.
    const keys = await signingKeys(config.dataDir)
    const ledger = new SignedLedger(config.dataDir)
    await noteKnown(pool, ledger, keys.known)
    const logins = backupUrl === null ? null : { url: databaseUrl, backupUrl }
    const backup = await keepBackups(config, logins, log)
    if (backup) stops.push(backup.stop)
    let runner: Jobs | undefined
    const metrics = createMetrics({ ofProcess: true, node: config.cluster?.name })
    if (replica) replica.measure(metrics)
    databaseClock?.report(metrics)
    const { bus, nats, stop: stopBus } = openBus(config, cluster, metrics, log)
    stops.push(stopBus)
    const services: Services = {
      config,
      pool,
      lowPool,
      replica,
      clock,
      databaseClock,
      log,
      bus,
      nats,
      mailer: createMailer({ url: config.smtpUrl, from: config.mailFrom, outbox: join(config.dataDir, 'outbox'), log }),
      payments: await paymentProviders(config.payments, clock),
      insurer: insurerOf(config.insurer, clock),
      secret: await installationSecret(config.dataDir),
      ledger,
      refusals: new Refusals(pool),
      people,
      claimFailures: new FailureLimit(config.claimFailures),
      orderCodeFailures: new FailureLimit(config.orderCodeFailures),
      orderLinkMisses: new FailureLimit(config.linkMisses),
      shipmentLinkMisses: new FailureLimit(config.linkMisses),
      shares: new Shares(perCompany),
      pace: new Pace(),
      strangersBodies: new StrangersBodies(),
      buckets: new Buckets(),
      disk: new DiskWatch(config, log, spaceOf(config.dataDir)),
      deniedObjects: new DeniedObjects(log, metrics),
      metrics,
      checks: {},
      ...(backup ? { backup: backup.state } : {}),
      enqueue: (client, job, payload) => {
        if (!runner) throw new Error('jobs are not running')
        return runner.enqueue(client, job, payload)
      },
    }
    backup?.state.report(metrics)
    if (cluster) {
      const { peers } = cluster
      services.peerFaults = () => peers.faults()
      stops.push(shareWithNodes(services, cluster))
    }
    shareFailures(services)
    await settleAll(services)
    await loadPorts(services)
    await pauseAfterRestore(services)
    stops.push(flushing(services))
    stops.push(watchingDisk(services))
    stops.push(clearingCopies(services))
    runner = await startJobs(databaseUrl, services, jobs)
    stops.push(() => runner.stop())
    const refusal = Promise.withResolvers<Error>()
    const pipeline = new Pipeline({
      ...services,
      databaseUrl,
      lanes,
      ...(cluster ? { cluster } : {}),
      window: config.ingest,
      rejectedPerDay: config.rejectedPerDay,
      refusalsPerAddress: config.ingestRefusals,
      maxWaiting: config.ingestWaiting,
      refused: refusal.resolve,
    })
    const queues = () => ({ readings: pipeline.gate.waiting, calls: services.shares.waiting })
    services.queues = queues
    cluster?.members.tellsQueues(queues)
    services.shareLimit?.('ingest', pipeline.refusals.counters)
    if (config.databaseUrl) {
      const refuses = config.requireSyncStandby
      const changed = (fault: string | null) => pipeline.gate.shut(refuses && fault !== null)
      const watch = new StandbyWatch({ pool, log, refuses, isShared: cluster !== null, changed })
      await watch.start()
      stops.push(() => watch.stop())
      services.standbys = watch
      if (refuses) services.checks.standby = () => watch.fault === null
    }
    await pipeline.start()
    stops.push(() => pipeline.stop())
    services.takeIn = (...said) => takeIn(pipeline, ...said)
    services.sweepSandbox = (companyId) => pipeline.sweepSandbox(companyId)
    services.checks.pipeline = () => pipeline.isReady
    const notifier = new Notifier(
      {
        ...services,
        now: () => services.clock.now(),
        count: measureNotifier(services.metrics, pool, outwardChannels, () => services.clock.now()),
        nearestTownName,
        publicUrl: config.publicUrl,
        senders: sendersOf({
          secret: services.secret,
          now: () => services.clock.now(),
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
    const sender = new WebhookSender(services)
    sender.start()
    stops.push(() => sender.stop())
    const app = await createApp(services, pipeline)
    stops.push(() => app.close())
    let mqttPort: number | null = null
    if (config.mqttPort !== null) {
      const broker = await ingestByMqtt(pipeline, databaseUrl, config.mqttHost, config.mqttPort, {
        ...config.connections.mqtt,
        isBehindProxy: config.trustProxy !== false,
        ...(cluster ? { peers: cluster.peers } : {}),
      })
      services.onDrain?.(broker.closeSpread)
      stops.push(broker.close)
      services.checks.mqtt = broker.isListening
      mqttPort = broker.port
      log.info(`MQTT is at port ${broker.port}`)
    }
    if (config.metricsPort !== null) {
      const address = { port: config.metricsPort, host: config.metricsHost, token: config.metricsToken }
      stops.push((await serveMetrics(metrics, address, readinessOf(services), statusPages(services))).close)
    }
    const url = await app.listen({ port: config.port, host: config.host })
    log.info(`Isotherm is at ${config.publicUrl}`)
    return { services, app, url, mqttPort, refused: refusal.promise, stop }
  } catch (error) {
    await stop()
    throw error
  }
}
