import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { variablesOf } from '../cluster/proxy.ts'
import { buildImage, type Image } from './dockerfile.ts'
import { tryCompose, tryUnits } from './files.ts'
import { tryImage } from './one-node.ts'
import { tryPair } from './pair.ts'
import { tryPgBackRest } from './pgbackrest.ts'
import { has, root, run } from './programs.ts'
import { Report } from './report.ts'
import { tryCluster } from './with-patroni.ts'

/*
 * Tries what deploy/ has, as far as this machine allows, on loopback: what haproxy and systemd say of their files, the Dockerfile step by step
 * in a folder (there is no Docker), one node as the image starts it with its embedded PostgreSQL, the pair of the compose file, backup and drill by pgBackRest, and three nodes
 * behind haproxy on three members of PostgreSQL under Patroni and etcd, whose primary is killed. At the end it says what was tried and what was not.
 *
 *   node scripts/run.mjs deploy-try [--only haproxy,systemd,compose,image,pair,pgbackrest,patroni]
 *   Debian: apt-get install haproxy postgresql patroni etcd-server pgbackrest
 */

const args = process.argv.slice(2)
const only = args.includes('--only') ? (args[args.indexOf('--only') + 1] ?? '').split(',') : null
const isAsked = (name: string) => !only || only.includes(name)
const base = Number(process.env.BENCH_PORT ?? 15_800)

const report = new Report()
const work = await mkdtemp(join(process.env.BENCH_DIR ?? tmpdir(), 'isotherm-deploy-'))
await chmod(work, 0o755)
try {
  if (isAsked('haproxy')) {
    if (has('haproxy')) await report.try('haproxy configuration', tryHaproxy)
    else report.add('haproxy configuration', 'not tried', 'haproxy is not installed')
  }
  if (isAsked('systemd')) {
    if (has('systemd-analyze')) await report.try('systemd units', () => tryUnits(work))
    else report.add('systemd units', 'not tried', 'there is no systemd-analyze')
  }
  if (isAsked('compose')) {
    await report.try('compose file', tryCompose)
    report.add('compose up', 'not tried', 'there is no Docker on this machine')
  }
  const image = isAsked('image') ? await build() : null
  if (isAsked('pair')) await tryPair(report, work, base + 50)
  if (isAsked('pgbackrest')) await tryPgBackRest(report, work, base + 60)
  if (isAsked('patroni')) await tryCluster(report, { work, base, program: image?.folder ?? root })
} finally {
  await rm(work, { recursive: true, force: true })
}
report.print()
if (report.failed) process.exitCode = 1

function tryHaproxy(): string {
  const addresses = ['10.0.0.1:1', '10.0.0.2:1', '10.0.0.3:1']
  const env = variablesOf({ http: base, mqtt: base + 1, nodes: { http: addresses, mqtt: addresses } })
  const file = join(root, 'deploy/haproxy/isotherm.cfg')
  const stats = { STATS_BIND: `127.0.0.1:${base + 2}` }
  run('haproxy', ['-c', '-f', file], { env: { ...env, ...stats } })
  run('haproxy', ['-c', '-f', file])
  return 'haproxy -c with its defaults and with addresses of our own'
}

async function build(): Promise<Image | null> {
  let image: Image | null = null
  await report.try('Dockerfile, its steps', async () => {
    image = await buildImage(work)
    const size = run('du', ['-sm', image.folder]).split('\t')[0]
    return `every COPY has its source, every RUN ran in an empty folder as no root; ${size} MB. Left out: ${image.notRun.join(', ')}`
  })
  if (image) await report.try('Dockerfile, its start', () => tryImage(image as unknown as Image, work, base))
  report.add('Dockerfile, as an image', 'not tried', 'there is no Docker on this machine')
  return image
}
