import type { ChildProcess } from 'node:child_process'
import { openSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { until } from '../../server/test/postgres-pair.ts'
import { ended } from '../pipeline/stage.ts'
import { ownFolder } from './dockerfile.ts'
import { readVariables } from './env-files.ts'
import { launch, root, run } from './programs.ts'

const deploy = join(root, 'deploy/patroni')
const count = 3

interface Member {
  name: string
  role: string
  state: string
}

/** etcd and members of PostgreSQL under Patroni by the files of deploy/, with loopback's addresses. */
export class PatroniCluster {
  readonly #work: string
  readonly #base: number
  readonly #bin: string
  readonly #passwords = { postgres: 'of-postgres', replication: 'of-replication', isotherm: 'of-isotherm' }
  readonly #members: (ChildProcess | null)[] = []
  #etcd: ChildProcess | null = null

  constructor(work: string, base: number, bin: string) {
    this.#work = join(work, 'patroni')
    this.#base = base
    this.#bin = bin
  }

  url(role: 'postgres' | 'isotherm'): string {
    const hosts = Array.from({ length: count }, (_, index) => `127.0.0.1:${this.#port(index, 0)}`)
    return `postgres://${role}:${this.#passwords[role]}@${hosts}/isotherm`
  }

  /** The superuser's address of one member. */
  leaderUrl(index: number): string {
    return `postgres://postgres:${this.#passwords.postgres}@127.0.0.1:${this.#port(index, 0)}/isotherm`
  }

  async start(): Promise<void> {
    await ownFolder(this.#work)
    await this.#startEtcd()
    const text = readFileSync(join(deploy, 'config.yml'), 'utf8')
      .replace('/etc/patroni/make-database.sh', join(deploy, 'make-database.sh'))
      .replace('shared_buffers: 2GB', `shared_buffers: 64MB\n        unix_socket_directories: ${this.#work}`)
      .replace(/bin_dir: .*/, `bin_dir: ${this.#bin}`)
    await writeFile(join(this.#work, 'config.yml'), text)
    for (let index = 0; index < count; index++) this.startMember(index)
    await this.whole()
  }

  startMember(index: number): void {
    const address = (kind: 0 | 1) => `127.0.0.1:${this.#port(index, kind)}`
    const env = {
      ...readVariables(join(deploy, 'patroni_env.conf')),
      ...{ PATRONI_NAME: `db-${index + 1}`, PATRONI_ETCD3_HOSTS: `127.0.0.1:${this.#base}` },
      ...{ PATRONI_RESTAPI_LISTEN: address(1), PATRONI_RESTAPI_CONNECT_ADDRESS: address(1) },
      ...{ PATRONI_POSTGRESQL_LISTEN: address(0), PATRONI_POSTGRESQL_CONNECT_ADDRESS: address(0) },
      ...{
        PATRONI_POSTGRESQL_DATA_DIR: this.#folder(index),
        PATRONI_POSTGRESQL_PGPASS: join(this.#work, `pass-${index}`),
      },
      ...{ PATRONI_SUPERUSER_PASSWORD: this.#passwords.postgres, ISOTHERM_PASSWORD: this.#passwords.isotherm },
      ...{ PATRONI_REPLICATION_PASSWORD: this.#passwords.replication },
    }
    const log = openSync(join(this.#work, `db-${index + 1}.log`), 'a')
    this.#members[index] = launch('patroni', [join(this.#work, 'config.yml')], { env, cwd: this.#work }, log)
  }

  /** Waits until one member leads, and the others follow, one of them as synchronous standby. */
  async whole(): Promise<void> {
    await until(async () => {
      const members = await this.members()
      const are = (role: string) => members.filter((each) => each.role === role && each.state !== 'stopped').length
      const isEach = members.every(({ state }) => state === 'running' || state === 'streaming')
      return isEach && are('leader') === 1 && are('sync_standby') === 1 && are('replica') === count - 2
    }, 120_000).catch(() => {
      throw new Error(`Patroni's members do not all follow: ${JSON.stringify(this.#said())}`)
    })
  }

  async members(): Promise<Member[]> {
    for (let index = 0; index < count; index++) {
      const answer = await fetch(`http://127.0.0.1:${this.#port(index, 1)}/cluster`).catch(() => null)
      if (answer?.ok) return ((await answer.json()) as { members: Member[] }).members
    }
    return []
  }

  async leader(): Promise<number> {
    const found = (await this.members()).find(({ role, state }) => role === 'leader' && state === 'running')
    return found ? Number(found.name.slice(3)) - 1 : -1
  }

  /** Ends a member and its PostgreSQL at once, as a machine that loses its power. */
  async killMember(index: number): Promise<void> {
    const patroni = this.#members[index]
    const postmaster = Number(readFileSync(join(this.#folder(index), 'postmaster.pid'), 'utf8').split('\n')[0])
    const children = run('ps', ['--ppid', String(postmaster), '-o', 'pid='], { asSelf: true })
      .split('\n')
      .map(Number)
    if (patroni) await ended(patroni, 'SIGKILL')
    for (const pid of [postmaster, ...children].filter(Boolean)) {
      try {
        process.kill(pid, 'SIGKILL')
      } catch {
        // It has ended.
      }
    }
  }

  async stop(): Promise<void> {
    await Promise.all(this.#members.map((member) => member && ended(member, 'SIGTERM')))
    if (this.#etcd) await ended(this.#etcd, 'SIGTERM')
  }

  async #startEtcd(): Promise<void> {
    const [client, peer] = [`http://127.0.0.1:${this.#base}`, `http://127.0.0.1:${this.#base + 1}`]
    const env = {
      ...readVariables(join(deploy, 'etcd.env')),
      ...{ ETCD_DATA_DIR: join(this.#work, 'etcd'), ETCD_INITIAL_CLUSTER: `db-1=${peer}` },
      ...{ ETCD_INITIAL_ADVERTISE_PEER_URLS: peer, ETCD_LISTEN_PEER_URLS: peer },
      ...{ ETCD_LISTEN_CLIENT_URLS: client, ETCD_ADVERTISE_CLIENT_URLS: client },
    }
    this.#etcd = launch('etcd', [], { env, cwd: this.#work }, openSync(join(this.#work, 'etcd.log'), 'w'))
    await until(() =>
      fetch(`${client}/health`).then(
        ({ ok }) => ok,
        () => false,
      ),
    )
  }

  #port(index: number, kind: 0 | 1): number {
    return this.#base + 2 + index * 2 + kind
  }

  #folder(index: number): string {
    return join(this.#work, `db-${index + 1}`)
  }

  /** The last words of each member. */
  #said(): string[] {
    return Array.from({ length: count }, (_, index) =>
      readFileSync(join(this.#work, `db-${index + 1}.log`), 'utf8').slice(-600),
    )
  }
}
