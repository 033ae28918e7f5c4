import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { install, staleReason } from './install.mjs'

const one = { 'node_modules/one': { version: '1.0.0' } }

/** A folder whose lock file wants `wanted` and whose node_modules holds `installed` (null: nothing was installed). */
function folder(wanted, installed) {
  const dir = mkdtempSync(join(tmpdir(), 'isotherm-install-'))
  onTestFinished(() => rmSync(dir, { recursive: true }))
  writeFileSync(join(dir, 'package-lock.json'), JSON.stringify({ packages: { '': {}, ...wanted } }))
  mkdirSync(join(dir, 'node_modules'))
  if (installed) writeFileSync(join(dir, 'node_modules/.package-lock.json'), JSON.stringify({ packages: installed }))
  return dir
}

const reason = (wanted, installed, development = true) => staleReason({ development }, folder(wanted, installed))

test('what the lock file names is installed: nothing to do', () => {
  expect(reason(one, one)).toBe(null)
})

test('an install that did not finish leaves no record, and is done again', () => {
  expect(reason(one, null)).toBe('not installed yet')
})

test.each([
  ['another version', { 'node_modules/one': { version: '0.9.0' } }, 'one should be 1.0.0, is 0.9.0'],
  ['a missing package', {}, 'one should be 1.0.0, is absent'],
])('%s is stale', (_what, installed, expected) => {
  expect(reason(one, installed)).toBe(expected)
})

test('packages for other platforms and links to workspaces need not be there', () => {
  const wanted = {
    'node_modules/x': { version: '1.0.0', optional: true },
    'node_modules/@isotherm/web': { link: true },
  }
  expect(reason(wanted, {})).toBe(null)
})

test('a production install lacks development packages, which only tests miss', () => {
  const wanted = { 'node_modules/vitest': { version: '4.0.0', dev: true } }
  expect(reason(wanted, {}, false)).toBe(null)
  expect(reason(wanted, {}, true)).toBe('vitest should be 4.0.0, is absent')
})

test('what npm cannot install by the hashes of the lock file is not installed in another way (L15)', () => {
  const dir = folder({}, null)
  const [npm, asked] = [join(dir, 'npm.js'), join(dir, 'asked')]
  writeFileSync(
    npm,
    `require('node:fs').appendFileSync(${JSON.stringify(asked)}, process.argv.slice(2).join(' ') + '\\n'); process.exitCode = 1`,
  )
  vi.stubEnv('npm_execpath', npm)
  onTestFinished(() => vi.unstubAllEnvs())
  expect(install).toThrow('npm could not install')
  expect(readFileSync(asked, 'utf8')).toBe('ci --loglevel=error\n')
})
