import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { writeKeys } from '../../server/src/commands/backup/keys.ts'
import { type BackupKeeping, keepBackups } from '../../server/src/keep-backups.ts'
import { newIdentity } from '../../server/src/platform/backup/identity-file.ts'
import { installationSecret } from '../../server/src/platform/config/secret.ts'
import { signingKeys } from '../../server/src/platform/config/signing-keys.ts'
import { type Embedded, startEmbedded } from '../../server/src/platform/db/embedded/supervisor.ts'
import { createLog } from '../../server/src/platform/log/log.ts'
import { runMain } from '../../server/test/operator.ts'
import type { Stage } from '../pipeline/stage.ts'

const baseWithinMs = 120_000

/** Receives the log of a stage's PostgreSQL as a server with BACKUP_DIR does, and brings it back as it was at an instant. */
export class BackedUp {
  readonly #stage: Stage
  readonly #keeping: BackupKeeping
  readonly #identity: string
  #restored: Embedded | null = null

  private constructor(stage: Stage, keeping: BackupKeeping, identity: string) {
    this.#stage = stage
    this.#keeping = keeping
    this.#identity = identity
  }

  /** Resolves once there is a base backup. */
  static async open(stage: Stage): Promise<BackedUp> {
    const { dataDir, backupUrl, databaseUrl: url } = stage
    if (!backupUrl) throw new Error('the PostgreSQL of the bench has no login for backups')
    const { known } = await signingKeys(dataDir)
    await installationSecret(dataDir)
    const { text, recipient } = await newIdentity(known[0]?.id ?? '')
    const identity = join(stage.folder, 'identity.txt')
    await writeFile(identity, text)
    const backup = { place: join(stage.folder, 'vault'), recipients: [recipient] }
    const log = createLog(process.env.LOG_LEVEL ?? 'fatal')
    const keeping = await keepBackups({ dataDir, backup }, { url, backupUrl }, log)
    if (!keeping) throw new Error('no backup is kept')
    for (const end = Date.now() + baseWithinMs; keeping.state.facts().baseAgeDays === null; await sleep(200)) {
      if (Date.now() < end) continue
      await keeping.stop()
      throw new Error(`there is no base backup: ${keeping.state.facts().fault ?? 'it takes too long'}`)
    }
    return new BackedUp(stage, keeping, identity)
  }

  /** The address of what was restored; null before. */
  get url(): string | null {
    return this.#restored?.url ?? null
  }

  /**
   * As it is with the machine that dies: PostgreSQL ends, and the log is what was received. Then brings it back, beside what there was, by the
   * operator's command; how long that took, ms.
   */
  async restore(to: Date): Promise<number> {
    const { folder, dataDir, stopDatabase, settings } = this.#stage
    await this.#keeping.stop()
    await stopDatabase()
    const [keys, target] = [join(folder, 'keys'), join(folder, 'restored')]
    await writeKeys(dataDir, keys, false)
    const ms = await this.#run(target, ['restore', '--keys', keys], to)
    const log = { info: () => {}, warn: () => {}, error: console.error }
    this.#restored = await startEmbedded({ dataDir: target, log, settings })
    return ms
  }

  /** Proves by the operator's command that the same backup can be restored to an instant; how long that took, ms. */
  drill(to: Date): Promise<number> {
    const { folder } = this.#stage
    return this.#run(join(folder, 'drilling'), ['backup', 'drill', '--scratch', join(folder, 'scratch')], to)
  }

  async #run(dataDir: string, command: readonly string[], to: Date): Promise<number> {
    const from = join(this.#stage.folder, 'vault')
    const began = performance.now()
    const { code, out, err } = await runMain(dataDir, [
      ...command,
      ...['--from', from, '--identity', this.#identity, '--to', to.toISOString()],
    ])
    if (code !== 0) throw new Error(`${command.join(' ')} failed: ${err}${out}`)
    return performance.now() - began
  }

  async connect(): Promise<pg.Client> {
    const client = new pg.Client({ connectionString: this.url ?? this.#stage.databaseUrl })
    client.on('error', () => {})
    await client.connect()
    return client
  }

  async stop(): Promise<void> {
    await this.#keeping.stop()
    await this.#restored?.stop()
  }
}
