import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { noteUse } from '../../core/developer/key-queries.ts'
import { withoutKeys } from '../../platform/auth/api-key-format.ts'
import { asPipeline } from '../../platform/db/transaction.ts'
import type { Services } from '../../platform/services.ts'
import { addRefused, forgetBut, insertCalls } from './call-queries.ts'

/** So many calls of a company can be looked at. */
const maxOfCompany = 2_000
/** Calls of a company between two writings that are noted; more of them are not. */
const maxWaiting = 500
const everyMs = 1_000
const maxPath = 500

interface NotedCall {
  company_id: number
  key_id: string
  at: Date
  method: string
  path: string
  status: number
  code: string | null
  ms: number
  address: string
  request_id: string
}

/** Calls of a company that are not written yet. */
interface Waiting {
  letIn: NotedCall[]
  /** By key and code those that were refused before their key was let in: the last one, and how many. Anybody may send them who once had the key. */
  refused: Map<string, NotedCall & { times: number }>
}

const harmless = /^(page|perPage|limit|sort|from|to|points|kind|state|status|role|ids?|\w*Ids?|after|before|since)$/

/** The address of a call: of its query only values that cannot be a secret or a person's data. PostgreSQL's text has no NUL. */
export function pathOf(url: string): string {
  const [path = '', query = ''] = url.split('?')
  const shown = [...new URLSearchParams(query)].map(([name, value]) => `${name}=${harmless.test(name) ? value : '...'}`)
  const whole = `${path}${shown.length > 0 ? `?${shown.join('&')}` : ''}`
  return withoutKeys(whole.replaceAll('\0', '\uFFFD'), '...').slice(0, maxPath)
}

/** Notes calls by key after they were answered, and writes them in batches, in transactions of their own: no call waits for it. */
export class CallLog {
  readonly #services: Services
  readonly #waiting = new Map<number, Waiting>()
  #writing: Promise<void> | undefined
  constructor(services: Services) {
    this.#services = services
  }

  note(request: FastifyRequest, reply: FastifyReply): void {
    const { apiKey } = request
    if (!apiKey) return
    const { companyId, keyId, isLetIn, refusedBy = null } = apiKey
    const waiting: Waiting = this.#waiting.get(companyId) ?? { letIn: [], refused: new Map() }
    this.#waiting.set(companyId, waiting)
    if (isLetIn && waiting.letIn.length >= maxWaiting) return
    const call = {
      ...{ company_id: companyId, key_id: keyId, at: this.#services.clock.now(), method: request.method },
      ...{ path: pathOf(request.url), status: reply.statusCode, code: refusedBy },
      ...{ ms: Math.round(reply.elapsedTime), address: request.ip, request_id: request.id },
    }
    if (isLetIn) waiting.letIn.push(call)
    else {
      const alike = `${keyId} ${refusedBy}`
      waiting.refused.set(alike, { ...call, times: (waiting.refused.get(alike)?.times ?? 0) + 1 })
    }
  }

  /** Writes what was noted; a second caller waits for the first. */
  async flush(): Promise<void> {
    while (this.#writing) await this.#writing
    const batches = [...this.#waiting]
    this.#waiting.clear()
    if (batches.length === 0) return
    this.#writing = this.#write(batches).finally(() => {
      this.#writing = undefined
    })
    await this.#writing
  }

  async #write(batches: [number, Waiting][]): Promise<void> {
    for (const [companyId, { letIn, refused }] of batches)
      await asPipeline(this.#services.pool, async ({ tx }) => {
        if (letIn.length > 0) await insertCalls(tx, letIn)
        for (const calls of refused.values()) await addRefused(tx, calls, dayOf(calls.at))
        await noteUse(tx, usesOf(letIn))
        await forgetBut(tx, companyId, maxOfCompany)
      }).catch((err: unknown) => this.#services.log.warn({ err }, 'calls by key were not noted'))
  }
}

const dayMs = 86_400_000
const dayOf = (at: Date) => new Date(Math.floor(at.getTime() / dayMs) * dayMs)

/** When, to the minute, and from where each key was used last. */
function usesOf(calls: readonly NotedCall[]) {
  const last = new Map(calls.map((call) => [call.key_id, call]))
  return [...last.values()].map(({ company_id: companyId, key_id: keyId, at, address }) => ({
    ...{ companyId, keyId, address, at: new Date(Math.floor(at.getTime() / 60_000) * 60_000) },
  }))
}

/** Notes every call by key, of whatever feature. */
export function noteKeyCalls(app: FastifyInstance, services: Services): CallLog {
  const log = new CallLog(services)
  const timer = setInterval(() => void log.flush(), everyMs)
  timer.unref()
  app.addHook('onResponse', async (request, reply) => log.note(request, reply))
  app.addHook('onClose', async () => {
    clearInterval(timer)
    await log.flush()
  })
  return log
}
