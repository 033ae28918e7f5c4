import pg from 'pg'
import type { Page } from 'playwright-core'
import { foundCompany, logIn } from '../../e2e/devices-company.ts'
import type { Stage } from '../../e2e/stage.ts'
import { Partitions } from '../../server/src/pipeline/store/partitions.ts'
import { createPool } from '../../server/src/platform/db/pool.ts'
import { addVan, vanDays } from '../query/van.ts'
import { median } from './median.ts'

/** Ms after somebody chose the period. */
export interface WholeWay {
  /** From asking until the answer is there. */
  answerMs: number
  /** From then until it is on the screen. */
  paintMs: number
}
export interface WholeWayFigures {
  van: WholeWay
  /** A device that never measured. */
  empty: WholeWay
}

const dayMs = 86_400_000
const emptySql = `
with made as (
  insert into devices (company_id, name, tag, type, interval_s, licence_until, created_at)
  values ($1, 'Empty', 'Vans', 'tracker', 180, now() + interval '1 year', now() - interval '400 days') returning company_id, id)
insert into device_limits (company_id, device_id, valid_from, temperature_min_centi, temperature_max_centi)
  select company_id, id, now() - interval '400 days', 200, 800 from made returning device_id as id`

/**
 * The real page of a device whose last 30 days have 518,400 readings: from choosing them until their chart is painted,
 * medians of `rounds`, in turns with the page of a device that has none.
 */
export async function measureWholeWay(stage: Stage, page: Page, rounds: number): Promise<WholeWayFigures> {
  await foundCompany(stage, page.request, 'Vans Ltd', 'admin@vans.test')
  const devices = await fill(stage)
  await page.addInitScript(noteDrawings)
  await logIn(page, 'admin@vans.test')
  const found = { van: [] as WholeWay[], empty: [] as WholeWay[] }
  // The first round is not counted: the server has only just begun.
  for (let round = -1; round < rounds; round++)
    for (const which of ['van', 'empty'] as const) {
      const one = await wholeWay(page, devices[which])
      if (round >= 0) found[which].push(one)
    }
  return { van: middle(found.van), empty: middle(found.empty) }
}

const middle = (all: WholeWay[]): WholeWay => ({
  answerMs: median(all.map(({ answerMs }) => answerMs)),
  paintMs: median(all.map(({ paintMs }) => paintMs)),
})

async function fill(stage: Stage): Promise<{ van: number; empty: number }> {
  const url = stage.databaseUrl
  const pool = createPool(url, 1, () => {})
  const now = Date.now()
  await new Partitions(pool).ensure([now - vanDays * dayMs, now - dayMs, now])
  await pool.end()
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ company_id: number }>(
    `select company_id from identities where email = 'admin@vans.test'`,
  )
  const companyId = rows[0]?.company_id ?? 0
  const van = await addVan(client, companyId)
  await client.query(`begin; set local role app; set local app.company_id = '${companyId}'`)
  const empty = await client.query<{ id: number }>(emptySql, [companyId])
  await client.query('commit')
  await client.end()
  return { van, empty: empty.rows[0]?.id ?? 0 }
}

/** In the page: notes when a canvas was drawn on, and when the second frame after that came. */
function noteDrawings() {
  const drawings: { at: number; shownAt: number }[] = []
  Object.assign(window, { drawings })
  const { stroke } = CanvasRenderingContext2D.prototype
  let isNoted = false
  CanvasRenderingContext2D.prototype.stroke = function (...path: [] | [Path2D]) {
    if (!isNoted) {
      isNoted = true
      // One drawing is one piece of work.
      queueMicrotask(() => {
        isNoted = false
      })
      const at = performance.now()
      const note = () => drawings.push({ at, shownAt: performance.now() })
      requestAnimationFrame(() => requestAnimationFrame(note))
    }
    return stroke.apply(this, path as [Path2D])
  }
}

async function wholeWay(page: Page, deviceId: number): Promise<WholeWay> {
  await page.goto(`/devices/${deviceId}/details`)
  await page.getByRole('region', { name: /Chart from/ }).waitFor()
  // The stream of live events never ends, so the network is never idle: two quiet seconds will do.
  await page.waitForTimeout(2_000)
  const before = await page.evaluate(() => performance.now())
  await page.getByText('30 days', { exact: true }).click()
  const handle = await page.waitForFunction((clickedAt) => {
    const { drawings } = window as unknown as { drawings: { at: number; shownAt: number }[] }
    const asked = (performance.getEntriesByType('resource') as PerformanceResourceTiming[]).find(
      ({ name, startTime }) => startTime > clickedAt && name.includes('/history/chart?'),
    )
    const first = asked && asked.responseEnd > 0 && drawings.find(({ at }) => at > asked.responseEnd)
    return first && { answerMs: asked.responseEnd - asked.startTime, paintMs: first.shownAt - asked.responseEnd }
  }, before)
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/device-${deviceId}.png` })
  return (await handle.jsonValue()) as WholeWay
}
