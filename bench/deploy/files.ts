import { existsSync, readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { checkVariables, readVariables } from './env-files.ts'
import { root, run } from './programs.ts'

const deploy = join(root, 'deploy')

/** Each template unit with the node's name in it, as systemd reads it; the folder it runs in is this checkout. */
export async function tryUnits(work: string): Promise<string> {
  const text = readFileSync(join(deploy, 'systemd/isotherm@.service'), 'utf8')
  const unit = join(work, 'units/isotherm@node-1.service')
  await mkdir(dirname(unit))
  await writeFile(unit, text.replaceAll('/opt/isotherm/', root))
  run('systemd-analyze', ['verify', unit], { asSelf: true })
  const security = run('systemd-analyze', ['security', '--offline=true', unit], { asSelf: true })
  const exposure = /Overall exposure level for \S+: (\S+)/.exec(security)?.[1] ?? 'unknown'
  const common = readVariables(join(deploy, 'systemd/common.env'))
  const stop = Number(/^TimeoutStopSec=(\d+)$/m.exec(text)?.[1])
  if (stop < Number(common.DRAIN_SECONDS) + 30) throw new Error(`TimeoutStopSec=${stop} is too short for DRAIN_SECONDS`)
  const inUnit = /^Environment=(.*)$/m
    .exec(text)?.[1]
    ?.split(' ')
    .map((each) => each.split('=') as [string, string])
  checkVariables({
    ...common,
    ...readVariables(join(deploy, 'systemd/node-1.env')),
    ...Object.fromEntries(inUnit ?? []),
  })
  return `systemd-analyze verify; exposure ${exposure} of 10; variables read by the configuration. Not started by systemd`
}

interface Service {
  environment?: Record<string, string>
  depends_on?: Record<string, unknown>
  volumes?: string[]
  secrets?: string[]
  build?: { context: string; dockerfile: string }
}

interface Compose {
  services: Record<string, Service>
  volumes: Record<string, unknown>
  secrets: Record<string, { file: string }>
}

/** The compose file by a YAML parser: what it names is there, and the nodes' variables are what a server reads. */
export function tryCompose(): string {
  const folder = join(deploy, 'compose')
  const program = 'import json,sys,yaml; print(json.dumps(yaml.safe_load(open(sys.argv[1]))))'
  const compose: Compose = JSON.parse(run('python3', ['-c', program, join(folder, 'compose.yaml')], { asSelf: true }))
  const missing: string[] = []
  for (const [name, { environment, depends_on, volumes = [], secrets = [], build }] of Object.entries(
    compose.services,
  )) {
    for (const other of Object.keys(depends_on ?? {})) if (!compose.services[other]) missing.push(`service ${other}`)
    for (const secret of secrets) if (!compose.secrets[secret]) missing.push(`secret ${secret}`)
    for (const volume of volumes) {
      const [source = ''] = volume.split(':')
      const isThere = source.includes('/') ? existsSync(join(folder, source)) : source in compose.volumes
      if (!isThere) missing.push(`volume ${source}`)
    }
    if (build && !existsSync(join(folder, build.context, build.dockerfile))) missing.push(build.dockerfile)
    if (name.startsWith('node-')) checkVariables(resolved(environment ?? {}))
  }
  if (missing.length > 0) throw new Error(`there is no ${missing.join(', ')}`)
  return `parses; the files, volumes, secrets and services that ${Object.keys(compose.services).length} services name are there`
}

/** `${NAME:-default}` and `${NAME-default}` are their defaults. */
const resolved = (environment: Record<string, string>) =>
  Object.fromEntries(
    Object.entries(environment).map(([name, value]) => [name, value.replace(/\$\{\w+:?-([^}]*)\}/g, '$1')]),
  )
