import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { freshDuty } from './duty.ts'
import { memoryOf } from './memory.ts'

test('what a tracker remembers is there after a restart, and a broken file is an empty memory', () => {
  const folder = mkdtempSync(join(tmpdir(), 'isotherm-memory-'))
  const path = join(folder, 'fleet.json')
  const state = { duty: freshDuty(300), deliveredUntil: 1234.5, answered: [] }
  const first = memoryOf(path)
  first.remember('1', state)
  first.remember('2', { ...state, deliveredUntil: 99 })
  first.flush()
  expect([memoryOf(path).recall('1'), memoryOf(path).recall('2')?.deliveredUntil]).toEqual([state, 99])
  writeFileSync(path, '{"1":')
  expect(memoryOf(path).recall('1')).toBeUndefined()
  rmSync(folder, { recursive: true })
})
