import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { chown, mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pinnedNode } from '../../scripts/run/paths.mjs'
import { account, root, run } from './programs.ts'

/** The last stage of a Dockerfile, and how it is run. */
export interface Image {
  folder: string
  entrypoint: string[]
  command: string[]
  health: string[]
  notRun: string[]
}

const file = join(root, 'deploy/Dockerfile')
const patterns = readFileSync(`${file}.dockerignore`, 'utf8').split('\n').filter(Boolean)
const isIgnored = (name: string) => {
  const parts = name.split('/')
  return patterns.some((each) => (each.startsWith('**/') ? parts.includes(each.slice(3)) : parts[0] === each))
}

/**
 * Does what the Dockerfile says, without Docker: each stage is a folder, COPY takes what git knows of the checkout, and RUN runs there
 * on the pinned Node, as no root. Left out is what needs a container's own files: its user and its folders.
 */
export async function buildImage(work: string): Promise<Image> {
  const image: Image = { folder: '', entrypoint: [], command: [], health: [], notRun: [] }
  const stages = new Map<string, string>()
  const home = join(work, 'home')
  await ownFolder(home)
  const env = { ...ofNetwork(), HOME: home, PATH: `${dirname(pinnedNode)}:/usr/local/bin:/usr/bin:/bin` }
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    const [, word = '', rest = ''] = /^([A-Z]+) (.*)$/.exec(line) ?? []
    if (word === 'FROM') {
      const name = / AS (\w+)$/.exec(rest)?.[1] ?? 'last'
      image.folder = join(work, name)
      stages.set(name, image.folder)
      await ownFolder(image.folder)
    } else if (word === 'COPY') await copy(rest, image.folder, stages)
    else if (word === 'RUN' && /useradd/.test(rest)) image.notRun.push(`RUN ${rest.slice(0, 30)}...`)
    else if (word === 'RUN') run('/bin/sh', ['-c', rest], { cwd: image.folder, env })
    else if (word === 'ENTRYPOINT') image.entrypoint = JSON.parse(rest)
    else if (word === 'CMD') image.command = JSON.parse(rest)
    else if (word === 'HEALTHCHECK') image.health = JSON.parse(rest.slice(rest.indexOf('[')))
  }
  return image
}

/** How this machine reaches npm. */
const ofNetwork = () =>
  Object.fromEntries(
    ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'NODE_EXTRA_CA_CERTS'].flatMap((name) =>
      process.env[name] ? [[name, process.env[name]]] : [],
    ),
  )

async function copy(rest: string, stage: string, stages: Map<string, string>) {
  const words = rest.split(' ')
  const from = /^--from=(\w+)$/.exec(words[0] ?? '')?.[1]
  const [target = '', ...sources] = words.slice(from ? 1 : 0).reverse()
  const into = join(stage, target)
  for (const source of sources.reverse()) {
    if (from) {
      const path = join(stages.get(from) ?? '', source.replace(/^\/build/, ''))
      await ownFolder(into)
      run('cp', ['-al', `${path}/.`, into])
    } else await copyFiles(source, into, target.endsWith('/'))
  }
}

/** A file goes into the folder, of a folder what is in it, as COPY does. */
async function copyFiles(source: string, into: string, isFolder: boolean) {
  const { stdout } = spawnSync('git', ['ls-files', '-co', '--exclude-standard', '--', source], {
    ...{ cwd: root, encoding: 'utf8', maxBuffer: 64e6 },
  })
  const names = stdout.split('\n').filter((name) => name && !isIgnored(name))
  if (names.length === 0) throw new Error(`COPY ${source}: there is nothing of that name`)
  await ownFolder(isFolder || names[0] !== source ? into : dirname(into))
  const isOne = names.length === 1 && names[0] === source
  const base = isOne ? dirname(source) : source
  // tar makes folders and keeps modes.
  const packed = spawnSync('tar', ['-C', join(root, base), '-cf', '-', '-T', '-'], {
    input: names.map((name) => (base === '.' ? name : name.slice(base.length + 1))).join('\n'),
    maxBuffer: 512e6,
  })
  const { status, stderr } = spawnSync('tar', ['-C', into, '-xf', '-', '--no-same-owner'], {
    ...(account ?? {}),
    input: packed.stdout,
  })
  if (status !== 0) throw new Error(`COPY ${source}: ${stderr}`)
}

export async function ownFolder(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true, mode: 0o755 })
  if (!account || !first) return
  for (let each = folder; each.length >= first.length; each = dirname(each)) await chown(each, account.uid, account.gid)
}
