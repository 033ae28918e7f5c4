import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { writeXlsx } from 'hucre/xlsx'
import { asCompany } from '../pipeline/companies.ts'
import { makeFleet } from '../pipeline/fleet.ts'
import { judgeRatio } from '../pipeline/ratio.ts'
import { openStage, settled } from '../pipeline/stage.ts'

/*
 * Uploads of 10,000 shipments, as CSV and as XLSX, by a real server: from the request until every row is stored. Meanwhile a small call is asked
 * again and again: how much longer than alone it takes says how much answers are held up. Fails where an upload takes more than so many times a
 * plain insert of the same rows, made in the same run, or more than 10 seconds.
 *
 *   npm run bench -- bulk [--rows 10000] [--rounds 3]
 */

const option = (name: string, fallback: number) => {
  const at = process.argv.indexOf(`--${name}`)
  return at < 0 ? fallback : Number(process.argv[at + 1])
}
const [rows, rounds] = [option('rows', 10_000), option('rounds', 3)]
const ports = { http: 15_760, mqtt: 15_761 }
const longestS = 10
const bound = { of: 'a plain insert of the same rows', atMost: 12 }
const token = 'bench'.repeat(8)
const failures: string[] = []
const headings = [
  'reference',
  'logistics',
  'product',
  'origin',
  'destination',
  'mode',
  'fromPort',
  'toPort',
  'etd',
  'eta',
]
const dayOf = (after: number) => new Date(Date.now() + after * 86_400_000).toISOString().slice(0, 10)

const cellsOf = (prefix: string) =>
  Array.from({ length: rows }, (_, n) => [
    ...[`${prefix}-${n}`, 'external', 'Oranges', 'Pack house', 'Importer', 'sea', 'ZACPT', 'NLRTM'],
    ...[`${dayOf(5 + (n % 60))} 18:00`, `${dayOf(25 + (n % 60))} 06:00`],
  ])
const csvOf = (prefix: string) => Buffer.from([headings, ...cellsOf(prefix)].map((line) => line.join(';')).join('\r\n'))
const bookOf = async (prefix: string) =>
  Buffer.from(await writeXlsx({ sheets: [{ name: 'Shipments', rows: [headings, ...cellsOf(prefix)] }] }))

const stage = await openStage(ports)
try {
  const [first] = await makeFleet(stage.client, 1, 1)
  if (!first) throw new Error('no company was made')
  const { companyId } = first
  await asCompany(stage.client, companyId, async () => {
    await stage.client.query(
      `insert into users (company_id, fullname, email, role, timezone, locale, status)
        values ($1, 'Bench', 'bench@example.test', 'admin', 'Africa/Lagos', 'en', 'active')`,
      [companyId],
    )
    for (const [kind, name] of [
      ['origin', 'Pack house'],
      ['destination', 'Importer'],
    ])
      await stage.client.query(
        `insert into shipment_places (company_id, kind, name, country, zone, created_at, updated_at)
          values ($1, $2, $3, 'ZA', 'Africa/Johannesburg', now(), now())`,
        [companyId, kind, name],
      )
  })
  await stage.client.query(`insert into identities (email, company_id, user_id)
    select 'bench@example.test', company_id, id from users where company_id = ${companyId}`)
  await stage.client.query(
    `insert into sessions (token_hash, identity_id, created_at, last_seen_at, is_admin) select $1, id, now(), now(), true from identities`,
    [createHash('sha256').update(token).digest()],
  )
  await stage.startServer()
  await settled(ports.http)
  const ask = async (path: string, init: RequestInit = {}) => {
    const answer = await fetch(`http://127.0.0.1:${ports.http}/app/api/v1/${path}`, {
      ...init,
      headers: { authorization: `Bearer ${token}` },
    })
    const body = (await answer.json()) as { payload: { id: string; state: string; errors: object[] } }
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${JSON.stringify(body)}`)
    return body.payload
  }
  const upload = async (name: string, bytes: Buffer): Promise<{ ms: number; waits: number[] }> => {
    const form = new FormData()
    form.append('file', new File([Uint8Array.from(bytes)], name))
    const began = performance.now()
    let told = await ask('export/shipments/bulk-upload', { method: 'POST', body: form })
    const waits: number[] = []
    while (told.state === 'waiting' || told.state === 'working') {
      await sleep(20)
      const asked = performance.now()
      told = await ask(`export/shipment-uploads/${told.id}`)
      waits.push(performance.now() - asked)
    }
    if (told.state !== 'stored') throw new Error(`${told.state}: ${JSON.stringify(told.errors.slice(0, 3))}`)
    return { ms: performance.now() - began, waits }
  }
  /** The rows that an upload stored, inserted again by one statement each. */
  const plain = async (prefix: string): Promise<number> => {
    const began = performance.now()
    await asCompany(stage.client, companyId, async () => {
      await stage.client.query(
        `with made as (insert into shipments (company_id, number, logistics, reference, product, origin_id, origin,
            destination_id, destination, country, created_at, created_by, created_by_name, updated_at)
          select company_id, number + 1000000, logistics, reference || '-plain', product, origin_id, origin, destination_id,
            destination, country, created_at, created_by, created_by_name, updated_at from shipments
            where reference like $1 || '-%' and reference not like '%-plain'
          returning company_id, id, number),
        legs as (insert into shipment_legs (company_id, shipment_id, sequence, mode, from_port, to_port, from_zone, to_zone, etd, eta)
          select m.company_id, m.id, 1, l.mode, l.from_port, l.to_port, l.from_zone, l.to_zone, l.etd, l.eta
          from made m join shipments s on s.number = m.number - 1000000 join shipment_legs l on l.shipment_id = s.id)
        insert into shipment_events (company_id, shipment_id, kind, occurred_at, occurred_zone, recorded_at, source)
          select company_id, id, 'created', now(), 'UTC', now(), 'person' from made`,
        [prefix],
      )
    })
    return performance.now() - began
  }
  const best = (times: readonly number[]) => Math.min(...times)
  for (const kind of ['csv', 'xlsx'] as const) {
    const [ours, plainly, waits]: [number[], number[], number[]] = [[], [], []]
    for (let round = 0; round < rounds; round++) {
      const prefix = `${kind}${round}`
      const bytes = kind === 'csv' ? csvOf(prefix) : await bookOf(prefix)
      const told = await upload(`season.${kind}`, bytes)
      ours.push(told.ms)
      waits.push(...told.waits)
      plainly.push(await plain(prefix))
    }
    const { text, failures: tooSlow } = judgeRatio(kind, best(ours), best(plainly), bound)
    failures.push(...tooSlow)
    if (best(ours) > longestS * 1000) failures.push(`${kind}: ${Math.round(best(ours))} ms`)
    const sorted = waits.toSorted((a, b) => a - b)
    const share = (part: number) => Math.round(sorted[Math.floor((sorted.length - 1) * part)] ?? 0)
    console.log(
      `${kind}: ${rows} rows in ${ours.map((ms) => `${(ms / 1000).toFixed(1)} s`).join(', ')}: ${text}; ` +
        `small calls meanwhile: median ${share(0.5)} ms, slowest of a hundred ${share(0.99)} ms`,
    )
  }
} finally {
  await stage.stop()
}
if (failures.length > 0) {
  console.error(failures.join('\n'))
  process.exitCode = 1
}
