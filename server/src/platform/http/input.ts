import { type Call, paramNames } from '@isotherm/contract/call.ts'
import { Id } from '@isotherm/contract/common.ts'
import { messagesOf } from '@isotherm/contract/errors.ts'
import type { FastifyRequest } from 'fastify'
import type { Origin } from '../audit/audit.ts'
import { AppError, InvalidInput } from '../errors/app-error.ts'
import { parseInTurns } from './parse-in-turns.ts'

/** Where a request comes from, for the audit trail. */
export const originOf = (request: FastifyRequest): Origin => ({
  address: request.ip,
  agent: (request.headers['user-agent'] ?? '').slice(0, 300),
  requestId: request.id,
})

// No form has that many; a body of 90,000 unknown fields would be answered with 7 MB after seconds of work.
const maxProblems = 200

const isId = (name: string) => name === 'id' || name.endsWith('Id')

/** Parameters, query and body as the row describes them. Throws NOT_FOUND for an impossible id, else one 422 with every failure. */
export async function readInput(call: Call, request: FastifyRequest) {
  const params = request.params as Record<string, string>
  for (const name of paramNames(call.path)) {
    const value = params[name] ?? ''
    // PostgreSQL's text holds no NUL, so nothing is called that.
    if (value.includes('\0') || (isId(name) && !Id.safeParse(value).success)) throw new AppError('NOT_FOUND')
  }
  const query = call.query.safeParse(request.query)
  const body = await parseInTurns(call.body, request.body === undefined ? {} : request.body)
  const problems = [...(query.error ? messagesOf(query.error) : []), ...messagesOf(body)]
  if (problems.length > 0) throw new InvalidInput(problems.slice(0, maxProblems))
  return { params, query: query.data, body: body.data }
}
