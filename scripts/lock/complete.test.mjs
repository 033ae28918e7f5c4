import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { inRoot, nodePackage } from '../run/paths.mjs'
import { completed } from './complete.mjs'

const hashed = { version: '1.0.0', integrity: 'sha512-x' }

test('what a Linux server would install without a hash is named (L16)', () => {
  const { unhashed } = completed({
    '': {},
    'node_modules/good': hashed,
    'node_modules/bare': { version: '1.0.0' },
    'node_modules/bare-linux-arm64': { version: '1.0.0', optional: true, os: ['linux'] },
    'node_modules/bare-win32-x64': { version: '1.0.0', optional: true, os: ['win32'] },
    'node_modules/bare-tool': { version: '1.0.0', dev: true },
    'node_modules/@isotherm/web': { link: true },
  })
  expect(unhashed).toEqual(['bare', 'bare-linux-arm64'])
})

test('a package of another platform that the lock file lacks is added, and one of Linux then wants its hash (L16)', () => {
  const own = { ...hashed, optionalDependencies: { 'own-linux-x64': '1.0.0', 'own-darwin-arm64': '1.0.0' } }
  const { packages, added, unhashed } = completed({ 'node_modules/own': own })
  expect(added).toEqual(['own-linux-x64', 'own-darwin-arm64'])
  expect(packages['node_modules/own-darwin-arm64']).toMatchObject({ os: ['darwin'], cpu: ['arm64'], optional: true })
  expect(unhashed).toEqual(['own-linux-x64'])
})

test('our own lock file lacks nothing, and holds Node by its hash (L15, L16)', () => {
  const { packages } = JSON.parse(readFileSync(inRoot('package-lock.json'), 'utf8'))
  expect(completed(packages)).toMatchObject({ added: [], unhashed: [] })
  expect(packages[`node_modules/${nodePackage}`].integrity).toMatch(/^sha512-/)
})
