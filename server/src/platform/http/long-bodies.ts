import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../errors/app-error.ts'
import { longBodyBytes, type Pace } from '../loop/pace.ts'

/** How long a body may become: no call reads more bytes than it takes. A form that does not say how long it is counts as the longest. */
function bytesOf({ headers, routeOptions }: FastifyRequest): number {
  const isForm = headers['content-type']?.startsWith('multipart/') ?? false
  const announced = Number(headers['content-length'] ?? (isForm ? Number.POSITIVE_INFINITY : 0))
  return Math.min(announced, routeOptions.bodyLimit)
}

export const isLong = (request: FastifyRequest): boolean => bytesOf(request) >= longBodyBytes

/**
 * Waits, before a long body is read from its connection, until its company may send one: meanwhile the bytes stay with the sender.
 * Throws BUSY where too many of them wait; the connection then ends, because its body would have to be read to be thrown away.
 */
export async function waitToRead(
  pace: Pace,
  company: number | null,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  if (await pace.whenToRead(company, bytesOf(request), () => request.socket.destroyed)) return
  reply.header('connection', 'close')
  throw new AppError('BUSY', {}, 5)
}
