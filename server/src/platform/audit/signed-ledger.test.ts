import { fork } from 'node:child_process'
import { appendFile, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { type Signed, SignedLedger } from './signed-ledger.ts'

async function folder(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'isotherm-ledger-'))
  onTestFinished(() => rm(dir, { recursive: true }))
  return dir
}
const fileOf = (dir: string) => join(dir, 'audit-signed.jsonl')
const linesOf = async (dir: string) => (await readFile(fileOf(dir), 'utf8')).trimEnd().split('\n')
const signed = (company: number, number: number): Signed => ({
  company: String(company),
  number,
  seq: String(number * 10),
  hash: number.toString(16).padStart(64, '0'),
})

test('what was signed last of each trail is remembered, also by the next process (M9)', async () => {
  const dir = await folder()
  const ledger = new SignedLedger(dir)
  expect(await ledger.last(1)).toBeUndefined()
  await ledger.note([signed(1, 1), signed(2, 1)])
  await ledger.note([signed(1, 2)])
  expect(await ledger.last(1)).toEqual(signed(1, 2))
  expect(await new SignedLedger(dir).all()).toEqual([signed(1, 2), signed(2, 1)])
  expect((await stat(fileOf(dir))).mode & 0o777).toBe(0o600)
})

test('nothing is forgotten by noting what is older; only an acceptance goes back (M9)', async () => {
  const dir = await folder()
  const ledger = new SignedLedger(dir)
  await ledger.note([signed(1, 5)])
  await ledger.note([signed(1, 3)])
  expect(await ledger.last(1)).toEqual(signed(1, 5))
  const accepted = { at: '2026-11-22T12:00:00.000Z', reason: 'restored' }
  await ledger.accept(signed(1, 3), accepted)
  expect(await ledger.last(1)).toEqual({ ...signed(1, 3), accepted })
  await ledger.note([signed(1, 4)])
  expect(await ledger.last(1)).toEqual(signed(1, 4))
})

test('half a line that a power cut left is written over, a damaged line is refused (M9)', async () => {
  const dir = await folder()
  await new SignedLedger(dir).note([signed(1, 1)])
  await appendFile(fileOf(dir), '{"company":"1","num')
  const ledger = new SignedLedger(dir)
  expect(await ledger.last(1)).toEqual(signed(1, 1))
  await ledger.note([signed(1, 2)])
  expect(await new SignedLedger(dir).last(1)).toEqual(signed(1, 2))
  await writeFile(fileOf(dir), `{"company":"1"}\n${(await linesOf(dir)).join('\n')}\n`)
  await expect(new SignedLedger(dir).last(1)).rejects.toThrow('damaged in line 1')
})

test('the file does not grow without end, and keeps what was accepted (M9)', async () => {
  const dir = await folder()
  const lines = Array.from({ length: 2_100 }, (_, index) => JSON.stringify(signed((index % 3) + 1, index + 1)))
  const accepted = { ...signed(1, 1), accepted: { at: '2026-11-22T12:00:00.000Z', reason: 'restored' } }
  await writeFile(fileOf(dir), `${[JSON.stringify(accepted), ...lines].join('\n')}\n`, { mode: 0o600 })
  const ledger = new SignedLedger(dir)
  await ledger.note([signed(4, 1)])
  expect(await linesOf(dir)).toHaveLength(5)
  expect(await ledger.all()).toEqual([signed(1, 2_098), signed(2, 2_099), signed(3, 2_100), signed(4, 1)])
  expect((await readFile(fileOf(dir), 'utf8')).startsWith(JSON.stringify(accepted))).toBe(true)
  expect(await readdir(dir)).toEqual(['audit-signed.jsonl'])
})

test('processes that write at once lose nothing of each other (M9)', async () => {
  const dir = await folder()
  const code = `
    const { SignedLedger } = await import(${JSON.stringify(new URL('./signed-ledger.ts', import.meta.url).href)})
    const ledger = new SignedLedger(process.argv[2])
    for (let n = 1; n <= 5; n++)
      await ledger.note([{ company: process.argv[3], number: n, seq: String(n), hash: '0'.repeat(64) }])
  `
  const script = join(dir, 'writer.mjs')
  await writeFile(script, code)
  const exits = await Promise.all(
    ['1', '2', '3'].map(
      (company) =>
        new Promise((done) => fork(script, [dir, company], { execArgv: [], stdio: 'inherit' }).on('exit', done)),
    ),
  )
  expect(exits).toEqual([0, 0, 0])
  expect(await linesOf(dir)).toHaveLength(15)
  const last = await new SignedLedger(dir).all()
  expect(last.map(({ company, number }) => [company, number]).sort()).toEqual([
    ['1', 5],
    ['2', 5],
    ['3', 5],
  ])
})
