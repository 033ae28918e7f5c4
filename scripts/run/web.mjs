import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inRoot } from './paths.mjs'
import { runNode } from './processes.mjs'

const SOURCES = [
  'package-lock.json',
  'web/package.json',
  'web/vite.config.ts',
  'web/vite-compress.ts',
  'web/vite-facades.ts',
  'web/vite-link-pages.config.ts',
  'web/vite-maplibre.ts',
  'web/vite-pages.ts',
  'web/index.html',
  'web/shared.html',
  'web/track.html',
  'web/drive.html',
  'web/shipment-link.html',
  'web/inline',
  'web/public',
  'web/src',
]
const SHARED = ['contract/src', 'contract/locales']
const stamp = inRoot('.cache/web-build')

/** Builds web/dist unless it was built from exactly these sources. An image without sources keeps the dist it came with. */
export async function ensureWeb() {
  if (!existsSync(inRoot('web/src'))) return
  const hash = hashOf([...SOURCES, ...SHARED])
  if (existsSync(inRoot('web/dist/index.html')) && existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return
  console.log('Building the web app ...')
  const vite = inRoot('node_modules/vite/bin/vite.js')
  for (const config of ['vite.config.ts', 'vite-link-pages.config.ts']) {
    const code = await runNode([vite, 'build', '--logLevel', 'warn', '--config', config], {
      cwd: inRoot('web'),
      env: { NODE_ENV: 'production' },
    })
    if (code !== 0) throw new Error('the web app does not build')
  }
  mkdirSync(inRoot('.cache'), { recursive: true })
  writeFileSync(stamp, hash)
}

function hashOf(paths) {
  const hash = createHash('sha256')
  for (const path of paths) addTo(hash, inRoot(path))
  return hash.digest('hex')
}

function addTo(hash, path) {
  const found = statSync(path, { throwIfNoEntry: false })
  if (!found) return
  hash.update(`${path}\0`)
  if (found.isFile()) hash.update(readFileSync(path))
  else for (const name of readdirSync(path).sort()) addTo(hash, join(path, name))
}
