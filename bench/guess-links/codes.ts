import { createHash, randomBytes } from 'node:crypto'
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { trackingCodeOf } from '../../server/src/domain/tracking-code.ts'
import type { DispatchScene } from '../dispatch/scene.ts'

interface Target {
  id: string
  code: string
}

/** The calls that take a tracking code, the older ones last. None is public: whoever guesses is a member of the company. */
const calls = [
  (id: string, code: string) => ({ method: 'GET', path: `dispatch/orders/${id}/track/${code}` }),
  (id: string, code: string) => ({ method: 'PATCH', path: `dispatch/orders/${id}/${code}/start`, body: {} }),
  (id: string, code: string) => ({ method: 'PATCH', path: `dispatch/orders/${id}/${code}/end`, body: {} }),
  (id: string, code: string) => ({ method: 'PUT', path: `dispatch/start/${id}`, body: { trackingCode: code } }),
  (id: string, code: string) => ({ method: 'PUT', path: `dispatch/completion/${id}`, body: { trackingCode: code } }),
]

/** Gives the orders that run real codes, as those of the scene have no check character. */
async function targetsOf(client: pg.Client, companyId: number): Promise<Target[]> {
  const ids = await client.query<{ id: string }>(
    `select id from orders where company_id = $1 and state = 'inProgress' order by id`,
    [companyId],
  )
  const targets = ids.rows.map(({ id }) => ({ id, code: trackingCodeOf(randomBytes(5)) }))
  await client.query(
    `update orders o set tracking_code = t.code from unnest($2::int8[], $3::text[]) as t (id, code)
     where o.company_id = $1 and o.id = t.id`,
    [companyId, targets.map(({ id }) => id), targets.map(({ code }) => code)],
  )
  return targets
}

/** Sessions of further members of the company. */
async function addMembers(client: pg.Client, companyId: number, count: number): Promise<string[]> {
  const tokens = Array.from({ length: count }, () => randomBytes(20).toString('hex'))
  for (const [n, token] of tokens.entries()) {
    const email = `member${n}@example.test`
    await client.query(
      `with u as (insert into users (company_id, fullname, email, role, timezone, locale, status)
         values ($1, $2, $3, 'admin', 'Africa/Lagos', 'en', 'active') returning company_id, id),
       i as (insert into identities (email, company_id, user_id) select $3, company_id, id from u returning id)
       insert into sessions (token_hash, identity_id, created_at, last_seen_at, is_admin) select $4, id, now(), now(), true from i`,
      [companyId, `Member ${n}`, email, createHash('sha256').update(token).digest()],
    )
  }
  return tokens
}

export interface CodeGuesses {
  made: number
  /** Codes that led somewhere. */
  found: number
  ms: number
  /** Guesses by the code of their answer. */
  counts: Map<string, number>
  honest: { answers: number; refused: number }
}

interface Effort {
  guesses: number
  atOnce: number
  seconds: number
}

/**
 * Guesses tracking codes of running orders over HTTP by every call that takes one, by the Admin alone at first, then by several members, while an honest
 * colleague, also as one of the members, names the right codes of the same orders all the time.
 */
export async function guessCodes(
  { client, port }: { client: pg.Client; port: number },
  { companyId, token }: Pick<DispatchScene, 'companyId' | 'token'>,
  { guesses, atOnce, seconds }: Effort,
): Promise<CodeGuesses> {
  const targets = await targetsOf(client, companyId)
  const [colleague = '', ...members] = await addMembers(client, companyId, 9)
  const ask = async (by: string, { method, path, body }: { method: string; path: string; body?: object }) => {
    const answer = await fetch(`http://127.0.0.1:${port}/app/api/v1/${path}`, {
      method,
      headers: { authorization: `Bearer ${by}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    const { code } = (await answer.json()) as { code?: string }
    return answer.ok ? 'OK' : (code ?? String(answer.status))
  }
  const counts = new Map<string, number>()
  const honest = { answers: 0, refused: 0 }
  const began = performance.now()
  let made = 0
  const isOver = () => made >= guesses || performance.now() - began > seconds * 1_000
  const guess = async (worker: number): Promise<void> => {
    while (!isOver()) {
      const turn = made++
      const target = targets[(turn + worker) % targets.length]
      const call = calls[turn % calls.length]
      if (!target || !call) throw new Error('no order runs')
      const by = turn < guesses / 2 ? token : (members[turn % members.length] ?? token)
      const said = await ask(by, call(target.id, trackingCodeOf(randomBytes(5))))
      counts.set(said, (counts.get(said) ?? 0) + 1)
    }
  }
  const wrongs = new Set(['ORDER_CODE_WRONG', 'TOO_MANY_REQUESTS'])
  const name = async (): Promise<void> => {
    for (let turn = 0; !isOver(); turn++) {
      const target = targets[turn % targets.length]
      // Asking to start what has started changes nothing.
      for (const call of calls.filter((_, index) => index < 2))
        if (target) {
          honest.answers += 1
          if (wrongs.has(await ask(colleague, call(target.id, target.code)))) honest.refused += 1
        }
      await sleep(200)
    }
  }
  await Promise.all([...Array.from({ length: atOnce }, (_, worker) => guess(worker)), name()])
  const refusals = [...counts].reduce((sum, [said, n]) => sum + (wrongs.has(said) || said === 'BUSY' ? n : 0), 0)
  return { made, found: made - refusals, ms: performance.now() - began, counts, honest }
}
