import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../errors/app-error.ts'
import type { Pace } from '../loop/pace.ts'

/**
 * Waits, before a long body is read from its connection, until its company may send one: meanwhile the bytes stay with the sender.
 * It counts no more bytes than the call takes: beyond them it is not read. A form that does not say how long it is counts as the longest.
 * Throws BUSY where too many of them wait; the connection then ends, because its body would have to be read to be thrown away.
 */
export async function waitToRead(
  pace: Pace,
  company: number | null,
  { headers, socket, routeOptions }: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const isForm = headers['content-type']?.startsWith('multipart/') ?? false
  const announced = Number(headers['content-length'] ?? (isForm ? Number.POSITIVE_INFINITY : 0))
  const bytes = Math.min(announced, routeOptions.bodyLimit)
  if (await pace.whenToRead(company, bytes, () => socket.destroyed)) return
  reply.header('connection', 'close')
  throw new AppError('BUSY', {}, 5)
}
